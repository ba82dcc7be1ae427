/** The pairs that a player is putting together, before sealing them. The server says which ones are possible. */
import type { ChooseLegal, Pair } from "../view";

export type Slot = { pasture: string | null; card: string | null; colour: string | null };

export class Choice {
    slots = $state<Slot[]>([]);
    active = $state(0);
    #single = false;
    #key = "";

    get complete(): boolean {
        return this.slots.length > 0 && this.slots.every((slot) => slot.pasture && slot.card);
    }

    /** Starts over for another decision, and returns true; else keeps what has been put together. */
    setUp(legal: ChooseLegal, key: string): boolean {
        if (key === this.#key) return false;
        this.#key = key;
        const only = legal.pastures.length === 1 ? (legal.pastures[0] ?? null) : null;
        this.#single = only !== null;
        this.slots = Array.from({ length: legal.pairs }, (_, index) => ({
            pasture: only,
            card: null,
            colour: legal.colours[index] ?? null,
        }));
        this.active = 0;
        return true;
    }

    /** Shows again what was sealed, so that it can be changed. */
    reopen(pairs: Pair[]): void {
        for (const [index, [pasture, card, colour]] of pairs.entries()) {
            const at = colour ? this.slots.findIndex((slot) => slot.colour === colour) : index;
            const slot = this.slots[at];
            if (slot) Object.assign(slot, { pasture, card });
        }
    }

    tapPasture(name: string): void {
        if (!this.#single) this.#tap("pasture", name);
    }

    tapCard(card: string): void {
        this.#tap("card", card);
    }

    /** A card of this value for the active pair: the first that is free, or the next one when it has one already; false without one. */
    tapValue(value: string, cards: string[]): boolean {
        const slot = this.slots[this.active];
        if (!slot) return false;
        const free = cards.filter(
            (card) =>
                card.startsWith(value) && (card === slot.card || this.slotOf("card", card) < 0),
        );
        const at = slot.card === null ? -1 : free.indexOf(slot.card);
        const next = free[(at + 1) % free.length];
        if (next === undefined) return false;
        slot.card = next;
        this.#advance();
        return true;
    }

    /** Makes the next or the one before the active pair. */
    turnTo(by: 1 | -1): void {
        const last = this.slots.length - 1;
        this.active = Math.min(Math.max(this.active + by, 0), last);
    }

    /** Empties the active pair, or the last one that isn't empty. */
    clear(): void {
        const filled = (slot: Slot | undefined) =>
            slot !== undefined && (slot.card !== null || (slot.pasture !== null && !this.#single));
        const at = filled(this.slots[this.active])
            ? this.active
            : this.slots.findLastIndex((slot) => filled(slot));
        const slot = this.slots[at];
        if (!slot) return;
        if (!this.#single) slot.pasture = null;
        slot.card = null;
        this.active = at;
    }

    /** A card dropped on a pasture. */
    pair(pasture: string, card: string): void {
        const at = this.#single
            ? this.#free("card")
            : this.slots.findIndex((s) => s.pasture === pasture);
        const target = at >= 0 ? at : this.#free("pasture");
        for (const slot of this.slots) if (slot.card === card) slot.card = null;
        const slot = this.slots[target];
        if (!slot) return;
        Object.assign(slot, { pasture, card });
        this.#advance();
    }

    slotOf(what: "pasture" | "card", value: string): number {
        return this.slots.findIndex((slot) => slot[what] === value);
    }

    /** What has been put together so far, to be taken up again after a reload. */
    draft(): string {
        return JSON.stringify({ key: this.#key, slots: this.slots });
    }

    /** Takes a draft up again, if it was made for the decision that is asked. */
    takeUp(draft: string, legal: ChooseLegal): void {
        const { key, slots } = JSON.parse(draft) as { key: string; slots: Slot[] };
        if (key !== this.#key || slots.length !== this.slots.length) return;
        const possible = slots.every(
            ({ pasture, card }) =>
                (pasture === null || legal.pastures.includes(pasture)) &&
                (card === null || legal.cards.includes(card)),
        );
        if (possible) this.slots = slots;
        this.#advance();
    }

    json(): { type: "choose"; pairs: Pair[] } {
        const pairs = this.slots.map(({ pasture, card, colour }): Pair =>
            colour ? [pasture ?? "", card ?? "", colour] : [pasture ?? "", card ?? ""],
        );
        return { type: "choose", pairs };
    }

    #tap(what: "pasture" | "card", value: string): void {
        const taken = this.slotOf(what, value);
        if (taken >= 0) {
            const slot = this.slots[taken];
            if (slot) slot[what] = null;
            this.active = taken;
            return;
        }
        const slot = this.slots[this.#free(what)];
        if (slot) slot[what] = value;
        this.#advance();
    }

    /** The active slot when it lacks this, else the first that does, else the active one: it is replaced. */
    #free(what: "pasture" | "card"): number {
        if (this.slots[this.active]?.[what] === null) return this.active;
        const lacking = this.slots.findIndex((slot) => slot[what] === null);
        return lacking >= 0 ? lacking : this.active;
    }

    #advance(): void {
        const slot = this.slots[this.active];
        if (!slot?.pasture || !slot.card) return;
        const open = this.slots.findIndex((one) => !one.pasture || !one.card);
        if (open >= 0) this.active = open;
    }
}
