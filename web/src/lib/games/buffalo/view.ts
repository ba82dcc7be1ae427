/** Buffalo's part of a table's view: short names for the generated types. */
import type { Message, Schemas, TableView } from "$lib/api/types";

export type BuffaloView = Schemas["BuffaloView"];
export type BuffaloEvent = Schemas["BuffaloEvent"];

export function buffaloView({ view }: Pick<TableView, "view">): BuffaloView | null {
    return view?.game === "buffalo" ? view : null;
}

/** The events of a message: at a table of Buffalo they are Buffalo's. */
export const eventsOf = ({ events }: Pick<Message, "events">): BuffaloEvent[] =>
    events as BuffaloEvent[];

/** The sides by seat. */
export const SIDES = ["buffalo", "hunter"] as const;
export type Side = (typeof SIDES)[number];

/** The kinds of pieces that a seat moves. */
export const KINDS = [["buffalo"], ["chief", "dog"]] as const;
