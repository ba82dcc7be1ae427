/** What people paste into the start page leads to a table, a replay or a review, or nowhere. */
import { describe, expect, it } from "vitest";
import { pathFromPastedLink } from "./pastedLinks";

const HERE = "http://club.example:8080";
const TABLE = "Abcdefghij0123456789XY";

describe("a pasted link", () => {
    it.each([
        [`${HERE}/t/${TABLE}#invite=secret`, `/t/${TABLE}#invite=secret`],
        [`  /t/${TABLE}  `, `/t/${TABLE}`],
        [`${HERE}/review/${TABLE}/1`, `/review/${TABLE}/1`],
        [`https://other.name/replay/${TABLE}/2?at=3`, `/replay/${TABLE}/2?at=3`],
    ])("%s leads to its page", (text, address) => {
        expect(pathFromPastedLink(text, HERE)).toBe(address);
    });

    it.each(["", "  ", "hello", "https://", `${HERE}/rules/zoff`, `${HERE}/t/short`])(
        "%s leads nowhere",
        (text) => {
            expect(pathFromPastedLink(text, HERE)).toBeNull();
        },
    );
});
