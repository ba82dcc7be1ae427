/** Runs the verifier beside the page: it is given a certificate's bytes, and tells how far it is and what it found. */
import { Fault, verify, type Report } from "./verifier";

export type Told =
    | { kind: "progress"; done: number; of: number }
    | { kind: "proven"; report: Report }
    | { kind: "fault"; place: string }
    /** This browser can't check it, which says nothing of the certificate. */
    | { kind: "unable" };

const tell = (told: Told) => postMessage(told);

addEventListener("message", (event: MessageEvent<ArrayBuffer>) => {
    verify(new Uint8Array(event.data), (done, of) => tell({ kind: "progress", done, of })).then(
        (report) => tell({ kind: "proven", report }),
        (error: unknown) =>
            tell(
                error instanceof Fault ? { kind: "fault", place: error.place } : { kind: "unable" },
            ),
    );
});
