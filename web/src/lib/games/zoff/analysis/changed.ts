/** Changed herds and hands of a moment, and the address that opens them: they stand behind the hash. */
export type Changes = {
    /** By pasture and colour. */
    herds: Record<string, Record<string, number>>;
    /** By seat: the cards that it holds instead. */
    hands: Record<string, string[]>;
};

/** What a link opens: the step that is shown, whose choice, and what is changed there. */
export type Linked = Changes & { step: number | null; seat: number };

export const UNCHANGED: Changes = { herds: {}, hands: {} };

export const isChanged = ({ herds, hands }: Changes): boolean =>
    Object.keys(herds).length + Object.keys(hands).length > 0;

/** As many as any game has, and more; the server says what can't be. */
const MOST = 100;
const WHOLE = /^\d{1,6}$/;

const wholeNumber = (text: string | undefined): number | null =>
    text !== undefined && WHOLE.test(text) ? Number(text) : null;

export function written({ step, seat, herds, hands }: Linked): string {
    const found = new URLSearchParams();
    if (step !== null) found.set("step", String(step));
    found.set("seat", String(seat));
    for (const [pasture, colours] of Object.entries(herds))
        for (const [colour, size] of Object.entries(colours))
            found.append("herd", [pasture, colour, size].join(","));
    for (const [who, cards] of Object.entries(hands))
        found.append("hand", [who, ...cards].join(","));
    return `#${found.toString()}`;
}

/** Reads what `written` wrote; what can't be is left out, as links come from anywhere. */
export function read(hash: string): Linked {
    const found = new URLSearchParams(hash.replace(/^#/, ""));
    const herds: Changes["herds"] = {};
    for (const text of found.getAll("herd").slice(0, MOST)) {
        const [pasture, colour, size] = text.split(",");
        const cows = wholeNumber(size);
        if (pasture && colour && cows !== null)
            herds[pasture] = { ...herds[pasture], [colour]: cows };
    }
    const hands: Changes["hands"] = {};
    for (const text of found.getAll("hand").slice(0, MOST)) {
        const [who, ...cards] = text.split(",");
        if (wholeNumber(who) !== null) hands[Number(who)] = cards.filter(Boolean).slice(0, MOST);
    }
    const step = wholeNumber(found.get("step") ?? undefined);
    return { step, seat: wholeNumber(found.get("seat") ?? undefined) ?? 0, herds, hands };
}
