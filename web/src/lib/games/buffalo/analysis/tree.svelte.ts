/** Variations as a tree: moves from a position, each with further moves; the first child is the main line. */
import { afterMove } from "../board/plies";

export type Node = { move: string; fen: string; children: Node[]; parent: Node | null };

/** The FEN after a move: the other side is to move, and the number grows after each of the buffalo side's. */
export function fenAfter(fen: string, move: string): string {
    const [, side = "b", , , , number = "1"] = fen.split(" ");
    const buffaloes = side === "b";
    const next = Number(number) + (buffaloes ? 1 : 0);
    return `${afterMove(fen, move)} ${buffaloes ? "w" : "b"} - - 0 ${next}`;
}

export class Variations {
    root = $state.raw<Node>({ move: "", fen: "", children: [], parent: null });
    at = $state.raw<Node>(this.root);
    /** Counts changes: nodes are plain objects. */
    version = $state(0);

    begin(fen: string): void {
        this.root = { move: "", fen, children: [], parent: null };
        this.at = this.root;
        this.version += 1;
    }

    /** Plays a move: follows it if it is known, else begins a variation. */
    play(move: string, fen = fenAfter(this.at.fen, move)): void {
        const known = this.at.children.find((one) => one.move === move);
        const next = known ?? { move, fen, children: [], parent: this.at };
        if (!known) this.at.children.push(next);
        this.at = next;
        this.version += 1;
    }

    go(node: Node): void {
        this.at = node;
    }

    back(): void {
        if (this.at.parent) this.at = this.at.parent;
    }

    forward(): void {
        const [main] = this.at.children;
        if (main) this.at = main;
    }

    /** Makes the line to the present move the main one. */
    promote(): void {
        for (let node = this.at; node.parent; node = node.parent) {
            const { children } = node.parent;
            children.splice(children.indexOf(node), 1);
            children.unshift(node);
        }
        this.version += 1;
    }

    /** Removes the present move with all that follows. */
    remove(): void {
        const { parent } = this.at;
        if (!parent) return;
        parent.children.splice(parent.children.indexOf(this.at), 1);
        this.at = parent;
        this.version += 1;
    }
}

const MOVE = /^[a-k][1-7][a-k][1-7]$/;
const MOST = 600;

/** The tree as text: moves in order, variations in brackets after the move that they replace. */
export function written(node: Node): string {
    const [main, ...others] = node.children;
    if (!main) return "";
    const sides = others.map((one) => ` (${one.move}${tail(one)})`).join("");
    return `${main.move}${sides}${tail(main)}`;
}

function tail(node: Node): string {
    const rest = written(node);
    return rest ? ` ${rest}` : "";
}

/** Reads what `written` wrote; what isn't a move is left out, as links come from anywhere. */
export function read(text: string, fen: string): Node {
    const root: Node = { move: "", fen, children: [], parent: null };
    const stack: Node[] = [];
    let at = root;
    for (const token of (text.match(/[()]|[a-k1-7]{4}/g) ?? []).slice(0, MOST)) {
        if (token === "(") {
            stack.push(at);
            at = at.parent ?? root;
        } else if (token === ")") {
            at = stack.pop() ?? at;
        } else if (MOVE.test(token)) {
            const known = at.children.find((one) => one.move === token);
            const fen = fenAfter(at.fen, token);
            const next: Node = known ?? { move: token, fen, children: [], parent: at };
            if (!known) at.children.push(next);
            at = next;
        }
    }
    return root;
}
