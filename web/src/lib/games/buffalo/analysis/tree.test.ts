import { expect, it } from "vitest";
import { fenAfter, read, Variations, written } from "./tree.svelte";

const START = "bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1";

it("reads the variations that it has written, main line first", () => {
    const tree = new Variations();
    tree.begin(START);
    for (const move of ["f7f6", "f2f3", "a7a6"]) tree.play(move);
    tree.back();
    tree.back();
    tree.play("f2e3");
    tree.back();
    tree.back();
    tree.play("k7k6");
    const text = written(tree.root);
    expect(text).toBe("f7f6 (k7k6) f2f3 (f2e3) a7a6");
    expect(written(read(text, START))).toBe(text);
    tree.promote();
    expect(written(tree.root)).toBe("k7k6 (f7f6 f2f3 (f2e3) a7a6)");
    tree.remove();
    expect(written(tree.root)).toBe("f7f6 f2f3 (f2e3) a7a6");
});

it("writes the position after a move as the server does", () => {
    const once = fenAfter(START, "f7f6");
    expect(once).toBe("bbbbb1bbbbb/5b5/11/11/11/3DDCDD3/11 w - - 0 2");
    expect(fenAfter(once, "f2f3")).toBe("bbbbb1bbbbb/5b5/11/11/5C5/3DD1DD3/11 b - - 0 2");
});

it("takes from a link what are moves, and nothing else", () => {
    expect(written(read("f7f6 <b>x</b> ) ( ( zz99 f2f3", START))).toMatch(/^f7f6/);
});
