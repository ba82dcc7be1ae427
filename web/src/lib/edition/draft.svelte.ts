/** The box that is being corrected: checked by the server after every change, kept on the device while it is right. */
import { getContext, setContext } from "svelte";
import type { EditionCheck, EditionData } from "$lib/api/types";
import { copy, fieldOf, sourcesAt, valueAt, withSix, withSources, withValue } from "./box";
import { editions } from "./editions.svelte";

export type Check = Pick<EditionCheck, "valid" | "cell" | "message">;

export class Draft {
    data = $state.raw<EditionData>() as EditionData;
    /** What the server says of it; null while it hasn't answered. */
    checked = $state.raw<Check | null>(null);
    toml = $state("");
    /** Whether the server could be asked. */
    away = $state(false);
    #asked = 0;
    /** The latest check, over or not: what the file would say is known after it. */
    #check: Promise<void> = Promise.resolve();
    /** Whether the server is still checking the latest change, so that `toml` is of an earlier one. */
    pending = $state(false);

    constructor(
        readonly shipped: EditionData,
        own: EditionData | null,
        title: string,
    ) {
        this.data = own ?? { ...copy(shipped), edition: { id: newId(), title } };
    }

    /** The place of the fault, as the server names it; empty without one. */
    get fault(): string {
        return this.checked?.valid === false ? (this.checked.cell ?? "") : "";
    }

    /** The field of the fault; empty when it belongs to none. */
    get faultField(): string {
        return fieldOf(this.fault);
    }

    get six(): boolean {
        return this.data.pasture.length > 11;
    }

    set(cell: string, text: string): void {
        if (text === valueAt(this.data, cell)) return;
        void this.take(withValue(this.data, cell, text));
    }

    confirm(cell: string): void {
        void this.take(withSources(this.data, cell, () => "box"));
    }

    /** Back to what is known without the box: of a value that was changed nothing is. */
    revoke(cell: string): void {
        const same = valueAt(this.data, cell) === valueAt(this.shipped, cell);
        const before = same ? sourcesAt(this.shipped, cell) : [];
        void this.take(withSources(this.data, cell, (index) => before[index] ?? "reconstructed"));
    }

    setSix(six: boolean): void {
        void this.take(withSix(this.data, this.shipped, six));
    }

    /** Takes other data over; it is kept once the server has found it right. */
    take(data: EditionData): Promise<void> {
        this.data = data;
        return this.#ask(data, () => editions.keep(data));
    }

    /** Asks for the text of the file without keeping anything. */
    refresh(): Promise<void> {
        return this.#ask(this.data, () => {});
    }

    /** Only the answer to the latest question counts. */
    #ask(data: EditionData, whenRight: () => void): Promise<void> {
        const asked = ++this.#asked;
        this.pending = true;
        return (this.#check = editions.check({ data }).then(
            (answer) => {
                if (asked !== this.#asked) return;
                this.#note(answer);
                if (answer.valid) whenRight();
            },
            () => {
                if (asked !== this.#asked) return;
                this.pending = false;
                this.away = true;
                this.toml = "";
            },
        ));
    }

    /** Waits until the server has answered to the latest change. */
    async settle(): Promise<void> {
        while (this.pending) await this.#check;
    }

    /** Reads a file; without a fault it becomes the box. */
    async read(toml: string): Promise<Check> {
        const answer = await editions.check({ toml });
        if (answer.valid && answer.edition) {
            this.#asked++;
            this.data = answer.edition.data;
            this.#note(answer);
            editions.keep(this.data);
        }
        return answer;
    }

    startAgain(title: string): void {
        editions.keep(null);
        this.data = { ...copy(this.shipped), edition: { id: newId(), title } };
        this.checked = null;
        void this.refresh();
    }

    #note(answer: EditionCheck): void {
        this.pending = false;
        this.away = false;
        this.checked = answer;
        this.toml = answer.toml ?? "";
    }
}

/** An id that no one else's box has. */
function newId(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(4));
    return `my-box-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

const KEY = Symbol("box");

export const provideBox = (draft: Draft): Draft => setContext(KEY, draft);
export const useBox = (): Draft => getContext<Draft>(KEY);
