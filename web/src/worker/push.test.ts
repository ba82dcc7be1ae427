import { describe, expect, it, vi } from "vitest";
import { listenForNotices, openNotice, readNotice, showNotice, type PushScope } from "./push";

const url = `/t/${"A".repeat(22)}`;
const text = JSON.stringify({ title: "Your turn", body: "Ann – Ben", url, tag: "t" });

function scope(tabs: { url: string; visibilityState?: string; focus?: () => Promise<unknown> }[]) {
    return {
        location: { origin: "https://x.example" },
        registration: { showNotification: vi.fn(async () => undefined) },
        clients: { matchAll: async () => tabs, openWindow: vi.fn(async () => undefined) },
    } satisfies PushScope;
}

describe("a notice", () => {
    it("is shown with its table", async () => {
        const found = scope([]);
        await showNotice(found, text);
        expect(found.registration.showNotification).toHaveBeenCalledWith(
            "Your turn",
            expect.objectContaining({ body: "Ann – Ben", tag: "t", data: { url } }),
        );
    });

    it("is not shown to who looks at the table", async () => {
        const seen = scope([{ url: `https://x.example${url}`, visibilityState: "visible" }]);
        await showNotice(seen, text);
        expect(seen.registration.showNotification).not.toHaveBeenCalled();
        const hidden = scope([{ url: `https://x.example${url}`, visibilityState: "hidden" }]);
        await showNotice(hidden, text);
        expect(hidden.registration.showNotification).toHaveBeenCalled();
    });

    it("leads to a table and nowhere else", async () => {
        expect(readNotice("{")).toBeNull();
        expect(readNotice(text.replace(url, "https://evil.example/"))).toBeNull();
        const found = scope([]);
        await openNotice(found, { url: "//evil.example" });
        expect(found.clients.openWindow).not.toHaveBeenCalled();
        await openNotice(found, { url });
        expect(found.clients.openWindow).toHaveBeenCalledWith(`https://x.example${url}`);
    });

    it("brings an open tab to the front", async () => {
        const focus = vi.fn(async () => undefined);
        const found = scope([{ url: `https://x.example${url}`, focus }]);
        await openNotice(found, { url });
        expect(focus).toHaveBeenCalled();
        expect(found.clients.openWindow).not.toHaveBeenCalled();
    });

    it("is listened for", async () => {
        const target = new EventTarget();
        const found = Object.assign(target, scope([]));
        listenForNotices(found);
        const works: Promise<unknown>[] = [];
        const event = Object.assign(new Event("push"), {
            data: { text: () => text },
            waitUntil: (work: Promise<unknown>) => works.push(work),
        });
        target.dispatchEvent(event);
        await Promise.all(works);
        expect(found.registration.showNotification).toHaveBeenCalled();
    });
});
