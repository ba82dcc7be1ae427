/** Why a game can't be shown, in the reader's words. */
import { Refusal } from "$lib/api/client";
import type { Schemas } from "$lib/api/types";
import { has, t } from "$lib/i18n/index.svelte";
import { NoRecord } from "./load";

/** What is wrong with a record, as the server tells it; its step counts from 0. */
type Fault = Schemas["RecordFault"];

/** A fault in words, with its place; empty when there are none for it. */
export function faultText({ code, step, clause, values }: Fault): string {
    const known = code === "illegal" && !clause ? "refused" : code;
    if (!has(`replay.fault.${known}`)) return "";
    const what = t(`replay.fault.${known}`, { ...values, clause: clause ?? "" });
    return step === null ? what : t("replay.fault.at", { step: step + 1, what });
}

export function problemText(error: unknown): string {
    if (error instanceof NoRecord) return t("replay.problem.gone");
    const status = error instanceof Refusal ? error.status : 0;
    if (error instanceof Refusal && status === 422) {
        const { fault } = error.problem;
        const what = fault ? faultText(fault) : "";
        if (what) return t("replay.problem.broken", { what });
        return t("replay.problem.wrong", { message: error.message });
    }
    const known: Record<number, string> = { 404: "unknown", 409: "running" };
    return t(`replay.problem.${known[status] ?? "away"}`);
}
