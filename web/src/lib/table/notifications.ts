/** "Your turn" as a notification, when the page is hidden and the reader allowed it. */
const plain = "Stampede";
let notified = false;

export function notifyTurn(mine: boolean, text: string): void {
    if (!mine) {
        notified = false;
        return;
    }
    if (notified || !document.hidden || !("Notification" in window)) return;
    notified = true;
    if (Notification.permission === "granted") new Notification(plain, { body: text, tag: "turn" });
}

export async function askToNotify(): Promise<boolean> {
    if (!("Notification" in window)) return false;
    return (await Notification.requestPermission()) === "granted";
}
