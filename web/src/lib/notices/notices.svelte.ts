/** Notices on this device, by Web Push: off until the reader asks for them. */
import { answerOf, rest } from "$lib/api/client";
import { language } from "$lib/i18n/index.svelte";

export class Refused extends Error {}

class Notices {
    /** Null until it is known, or where the browser can't show any. */
    on = $state<boolean | null>(null);

    async #registration(): Promise<ServiceWorkerRegistration | null> {
        if (!("serviceWorker" in navigator) || !("PushManager" in window)) return null;
        return (await navigator.serviceWorker.getRegistration()) ?? null;
    }

    async refresh(): Promise<void> {
        const registration = await this.#registration();
        if (!registration) return;
        this.on = (await registration.pushManager.getSubscription()) !== null;
    }

    async turnOn(): Promise<void> {
        const registration = await this.#registration();
        if (!registration) return;
        if ((await Notification.requestPermission()) !== "granted") throw new Refused();
        await answerOf(rest.GET("/api/me"));
        const { key } = await answerOf(rest.GET("/api/notices"));
        const subscription = await registration.pushManager.subscribe({
            userVisibleOnly: true,
            applicationServerKey: key,
        });
        const { endpoint, keys } = subscription.toJSON();
        const body = {
            endpoint: endpoint ?? "",
            keys: { p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" },
            language: language.current,
        };
        await answerOf(rest.POST("/api/notices", { body }));
        this.on = true;
    }

    /** The server forgets this browser first, so that nothing is sent to an address that is given up. */
    async turnOff(): Promise<void> {
        const registration = await this.#registration();
        const subscription = await registration?.pushManager.getSubscription();
        if (!subscription) return;
        const { endpoint } = subscription;
        await answerOf(rest.DELETE("/api/notices", { body: { endpoint } }));
        await subscription.unsubscribe();
        this.on = false;
    }
}

export const notices = new Notices();
