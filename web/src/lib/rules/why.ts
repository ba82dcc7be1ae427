/** "Why?": opens the reason for something in a dialog above the page, with a picture and clauses that open in place. */
import { mount, unmount, type Component } from "svelte";

/** Draws a component into an element; returns what removes it. */
export type Draw = (target: HTMLElement) => Promise<() => void>;

/** A picture by a component that is loaded when it is drawn. */
export function drawing<Props extends Record<string, unknown>>(
    load: () => Promise<{ default: Component<Props> }>,
    props: Props,
): Draw {
    return async (target) => {
        const { default: Picture } = await load();
        const drawn = mount(Picture, { target, props });
        return () => void unmount(drawn);
    };
}

/** Lines may name clauses, such as "(Z4.4)". */
export type WhySection = { title: string; lines: string[] };

export type Why = {
    title: string;
    lines: string[];
    /** Further sections; they may come later. */
    more?: WhySection[] | Promise<WhySection[]>;
    /** A picture of the moment. What it shows is said in words, too. */
    picture?: Draw | undefined;
};

/** Opens the reason; what the dialog needs is loaded at the first time. */
export async function openWhy(why: Why): Promise<void> {
    const opener = document.activeElement;
    const { default: WhyDialog } = await import("./WhyDialog.svelte");
    const dialog = mount(WhyDialog, {
        target: document.body,
        props: {
            why,
            onclose: () => {
                void unmount(dialog);
                if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
            },
        },
    });
}
