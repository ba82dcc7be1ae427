import { expect, it } from "vitest";
import { fenAfter, read, Variations, written, type Node } from "./tree.svelte";

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
    expect(tree.isMain).toBe(false);
    tree.promote();
    expect(tree.isMain).toBe(true);
    expect(written(tree.root)).toBe("k7k6 (f7f6 f2f3 (f2e3) a7a6)");
    tree.remove();
    expect(written(tree.root)).toBe("f7f6 f2f3 (f2e3) a7a6");
});

it("goes on so many moves, and no further than the line is long", () => {
    const tree = new Variations();
    tree.open(START, "f7f6 f2f3 a7a6");
    tree.forward(2);
    expect(tree.at.move).toBe("f2f3");
    tree.forward(1e12);
    expect(tree.at.move).toBe("a7a6");
    tree.go(tree.root);
    tree.forward(-3);
    expect(tree.at).toBe(tree.root);
});

it("writes the position after a move as the server does", () => {
    const once = fenAfter(START, "f7f6");
    expect(once).toBe("bbbbb1bbbbb/5b5/11/11/11/3DDCDD3/11 w - - 0 2");
    expect(fenAfter(once, "f2f3")).toBe("bbbbb1bbbbb/5b5/11/11/5C5/3DD1DD3/11 b - - 0 2");
});

it("keeps the sides of an opening turn of several steps, which a kept or shared tree doesn't spell", () => {
    const steps = ["e7e6", "f7f6", "g7g6"];
    const tree = new Variations();
    tree.begin(START, steps.length);
    for (const move of [...steps, "f2f3"]) tree.play(move);
    const sides = (node: Node): string[] => {
        const [main] = node.children;
        return [node.fen.split(" ")[1] ?? "", ...(main ? sides(main) : [])];
    };
    expect(sides(tree.root)).toEqual(["b", "b", "b", "w", "b"]);
    expect(sides(read(written(tree.root), START, steps.length))).toEqual(sides(tree.root));
    // A link from elsewhere doesn't say how many steps there were: who moves next tells.
    expect(sides(read("e7e6 f7f6 g7g6 f2f3", START))).toEqual(sides(tree.root));
    tree.go(tree.root.children[0]!);
    expect([tree.inOpening, tree.stepped]).toEqual([true, ["e"]]);
    tree.play("h7h6");
    expect(tree.at.fen.split(" ")[1]).toBe("b");
});

it("keeps what is written beside a move, whatever it is", () => {
    const tree = new Variations();
    tree.begin(START);
    tree.play("f7f6");
    tree.annotate("too slow (by one) {f7f6} a7a6");
    tree.play("f2f3");
    const again = read(written(tree.root), START);
    expect(again.children[0]?.note).toBe("too slow (by one) (f7f6) a7a6");
    expect(again.children[0]?.children[0]?.move).toBe("f2f3");
    expect(again.children).toHaveLength(1);
});

it("takes from a link what are moves, and nothing else", () => {
    expect(written(read("f7f6 <b>x</b> ) ( ( zz99 f2f3", START))).toMatch(/^f7f6/);
});
