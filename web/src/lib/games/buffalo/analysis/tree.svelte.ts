/** Variations as a tree: moves from a position, each with further moves; the first child is the main line. */
import { pieces } from "../board/board";
import { afterMove } from "../board/plies";

export type Node = {
    move: string;
    fen: string;
    /** What a reader has written beside the move. */
    note: string;
    children: Node[];
    parent: Node | null;
};

const rootOf = (fen: string): Node => ({ move: "", fen, note: "", children: [], parent: null });

/**
 * The FEN after a move: the other side is to move, unless an opening turn of several steps goes on; the number grows
 * after each of the buffalo side's.
 */
export function fenAfter(fen: string, move: string, goesOn = false): string {
    const [, side = "b", , , , number = "1"] = fen.split(" ");
    const buffaloes = side === "b";
    const next = Number(number) + (buffaloes ? 1 : 0);
    const turn = buffaloes !== goesOn ? "w" : "b";
    return `${afterMove(fen, move)} ${turn} - - 0 ${next}`;
}

/** The moves that lead to a node. */
function wayTo(node: Node): string[] {
    const way: string[] = [];
    for (let one = node; one.parent; one = one.parent) way.unshift(one.move);
    return way;
}

export class Variations {
    root = $state.raw<Node>(rootOf(""));
    at = $state.raw<Node>(this.root);
    /** How many buffaloes step before the hunter's first move: more than one in a game with a handicap. */
    opening = $state(1);
    /** Counts changes: nodes are plain objects. */
    version = $state(0);

    /** Whether the opening turn of several steps is under way. */
    readonly inOpening = $derived(this.opening > 1 && wayTo(this.at).length < this.opening);
    /** Whether the present move is on the main line: nothing is left to promote. */
    get isMain(): boolean {
        for (let node = this.at; node.parent; node = node.parent)
            if (node.parent.children[0] !== node) return false;
        return true;
    }

    /** The files whose buffaloes have stepped in the opening turn that is under way: the others are to step. */
    readonly stepped = $derived(this.inOpening ? wayTo(this.at).map((move) => move[0] ?? "") : []);

    begin(fen: string, opening = 1): void {
        this.#show(rootOf(fen), opening);
    }

    /** Begins with a tree that was kept or shared. */
    open(fen: string, text: string, opening = 1): void {
        this.#show(read(text, fen, opening), opening);
    }

    #show(root: Node, opening: number): void {
        this.root = root;
        this.at = root;
        this.opening = opening;
        this.version += 1;
    }

    /** Plays a move: follows it if it is known, else begins a variation. */
    play(move: string, fen?: string): void {
        const known = this.at.children.find((one) => one.move === move);
        const next = known ?? grown(this.at, move, this.opening, fen);
        this.at = next;
        this.version += 1;
    }

    go(node: Node): void {
        this.at = node;
    }

    back(): void {
        if (this.at.parent) this.at = this.at.parent;
    }

    /** Goes on along the main line, so many moves or to its end: an address may ask for more than there are. */
    forward(moves = 1): void {
        for (let left = moves; left > 0; left -= 1) {
            const [main] = this.at.children;
            if (!main) return;
            this.at = main;
        }
    }

    /** Writes something beside the present move. */
    annotate(text: string): void {
        this.at.note = text;
        this.version += 1;
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

/** Adds a move to a node. */
function grown(
    parent: Node,
    move: string,
    opening: number,
    fen = fenAfter(parent.fen, move, wayTo(parent).length + 1 < opening),
): Node {
    const next: Node = { move, fen, note: "", children: [], parent };
    parent.children.push(next);
    return next;
}

const MOVE = /^[a-k][1-7][a-k][1-7]$/;
const TOKENS = /\{[^{}]*\}|[()]|[a-k1-7]{4}/g;
/** A link may come from anywhere; nobody reads as many moves as this. */
const MOST = 4000;

/** The tree as text: moves in order, notes in braces, variations in brackets after the move that they replace. */
export function written(node: Node): string {
    const [main, ...others] = node.children;
    if (!main) return "";
    const sides = others.map((one) => ` (${spelt(one)}${tail(one)})`).join("");
    return `${spelt(main)}${sides}${tail(main)}`;
}

const spelt = ({ move, note }: Node): string =>
    note ? `${move} {${note.replaceAll("{", "(").replaceAll("}", ")")}}` : move;

function tail(node: Node): string {
    const rest = written(node);
    return rest ? ` ${rest}` : "";
}

/** Reads what `written` wrote; what isn't a move is left out, as links come from anywhere. */
export function read(text: string, fen: string, opening = 1): Node {
    const root = rootOf(fen);
    const stack: Node[] = [];
    let at = root;
    for (const token of (text.match(TOKENS) ?? []).slice(0, MOST)) {
        if (token === "(") {
            stack.push(at);
            at = at.parent ?? root;
        } else if (token === ")") {
            at = stack.pop() ?? at;
        } else if (token.startsWith("{")) {
            at.note = token.slice(1, -1);
        } else if (MOVE.test(token)) {
            if (at.children.length === 0) at.fen = withMover(at.fen, token);
            at = at.children.find((one) => one.move === token) ?? grown(at, token, opening);
        }
    }
    return root;
}

/** The position with the side to move that makes this move: a link needn't say how long an opening turn was. */
function withMover(fen: string, move: string): string {
    const mover = pieces(fen).find(({ square }) => square === move.slice(0, 2));
    if (!mover) return fen;
    const [board, , ...rest] = fen.split(" ");
    return [board, mover.kind === "buffalo" ? "b" : "w", ...rest].join(" ");
}
