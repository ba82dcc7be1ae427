/** The service worker's part in notices: shows what the server sends, and opens the table when it is touched. */
export type Notice = { title: string; body: string; url: string; tag: string };

type Tab = { url: string; visibilityState?: string; focus?: () => Promise<unknown> };
/** What is used of a service worker's global scope. */
export type PushScope = {
    location: { origin: string };
    registration: {
        showNotification: (title: string, options: NotificationOptions) => Promise<void>;
    };
    clients: {
        matchAll: (options: {
            type: "window";
            includeUncontrolled: boolean;
        }) => Promise<readonly Tab[]>;
        openWindow: (url: string) => Promise<unknown>;
    };
};

const TABLE = /^\/t\/[A-Za-z0-9]{22}$/;

/** A message of the server; null for anything else. */
export function readNotice(text: string): Notice | null {
    try {
        const found = JSON.parse(text) as Partial<Notice>;
        const { title, body, url, tag } = found;
        if (typeof title !== "string" || typeof body !== "string" || typeof tag !== "string")
            return null;
        return typeof url === "string" && TABLE.test(url) ? { title, body, url, tag } : null;
    } catch {
        return null;
    }
}

async function tabs(scope: PushScope): Promise<readonly Tab[]> {
    return scope.clients.matchAll({ type: "window", includeUncontrolled: true });
}

/** Shows a notice, unless the reader is looking at the table. A later one of the same table takes its place. */
export async function showNotice(scope: PushScope, text: string): Promise<void> {
    const notice = readNotice(text);
    if (!notice) return;
    const seen = (await tabs(scope)).some(
        ({ url, visibilityState }) =>
            visibilityState === "visible" && new URL(url).pathname === notice.url,
    );
    if (seen) return;
    const { title, body, tag, url } = notice;
    await scope.registration.showNotification(title, {
        body,
        tag,
        icon: "/icon.svg",
        data: { url },
    });
}

/** Goes to the tab that has the table open, or opens one. */
export async function openNotice(scope: PushScope, data: unknown): Promise<void> {
    const url = (data as { url?: unknown } | null)?.url;
    if (typeof url !== "string" || !TABLE.test(url)) return;
    const open = (await tabs(scope)).find((tab) => new URL(tab.url).pathname === url);
    if (open?.focus) await open.focus();
    else await scope.clients.openWindow(scope.location.origin + url);
}

type Waiting = { waitUntil: (work: Promise<unknown>) => void };
type PushMessage = Event & Waiting & { data: { text: () => string } | null };
type Touched = Event & Waiting & { notification: { data: unknown; close: () => void } };

/** Listens; the service worker calls it once. */
export function listenForNotices(worker: PushScope & Pick<EventTarget, "addEventListener">): void {
    worker.addEventListener("push", (event) => {
        const message = event as PushMessage;
        message.waitUntil(showNotice(worker, message.data?.text() ?? ""));
    });
    worker.addEventListener("notificationclick", (event) => {
        const touched = event as Touched;
        touched.notification.close();
        touched.waitUntil(openNotice(worker, touched.notification.data));
    });
}
