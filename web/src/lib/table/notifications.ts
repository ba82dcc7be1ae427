/** "Your turn" in the tab's title and, when the page is hidden and the reader allowed it, as a notification. */
const plain = "Stampede";
let notified = false;

export function notifyTurn(mine: boolean, text: string): void {
    document.title = mine ? `● ${text} – ${plain}` : plain;
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
