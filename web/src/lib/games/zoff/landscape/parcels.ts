/**
 * Lays pastures out as parcels of land that fill the space there is.
 *
 * Pastures stay in their order, the smallest first. Every way to cut them into rows is tried; the one whose fields come
 * closest to the wished shape wins. Then borders wave and neighbours lean, and each parcel keeps an upright box for
 * what is written on it, so that nothing touches a fence.
 */
export type Field = { capacity: number; ranks: number };
export type Point = { x: number; y: number };
export type Box = Point & { width: number; height: number };

/** How parcels look at a size of screen. All lengths are in pixels. */
export type Form = {
    /** The weight of a field without spaces: the larger, the more alike all fields are. */
    base: number;
    /** The wished width of a field, measured in its height. */
    shape: number;
    minWidth: number;
    minHeight: number;
    /** The width that each rank after the third needs. */
    rankWidth: number;
    /** The way between two rows, and the one that a river flows through. */
    lane: number;
    river: number;
    /** How far borders between rows wave, and borders between neighbours lean. */
    wave: number;
    lean: number;
    /** From the fence to what is written. */
    inset: number;
};

export const LARGE: Form = {
    base: 9,
    shape: 1.6,
    minWidth: 215,
    minHeight: 140,
    rankWidth: 36,
    lane: 12,
    river: 40,
    wave: 6,
    lean: 8,
    inset: 12,
};
export const PHONE: Form = {
    base: 46,
    shape: 1.05,
    minWidth: 108,
    minHeight: 95,
    rankWidth: 18,
    lane: 4,
    river: 14,
    wave: 3,
    lean: 3,
    inset: 5,
};
/** A phone on its side: little height, so that fields are wide and alike. */
export const SIDEWAYS: Form = {
    base: 70,
    shape: 1.2,
    minWidth: 118,
    minHeight: 96,
    rankWidth: 18,
    lane: 4,
    river: 12,
    wave: 3,
    lean: 3,
    inset: 5,
};

export type Parcel = {
    row: number;
    /** Clockwise from the top left. */
    corners: [Point, Point, Point, Point];
    box: Box;
};
export type Land = {
    width: number;
    height: number;
    parcels: Parcel[];
    /** The middle line of the river, from left to right; empty with a single row. */
    river: Point[];
    /** Where a bridge crosses it. */
    bridge: Point | null;
};

/** Below this height of land a phone's fields are lower: they show a bar of cows. */
const LOW_PHONE = 390;

/** The form for a landscape of this size. */
export function formFor(width: number, height: number): Form {
    if (width >= 700 && height >= 420) return LARGE;
    if (width > height * 1.15) return SIDEWAYS;
    return height < LOW_PHONE ? { ...PHONE, minHeight: 76 } : PHONE;
}

/** What a field costs that is too narrow, and land that grows by one row beyond the screen. */
const SHORTFALL = 9;
const GROWTH = 3;

type Row = { first: number; fields: Field[]; weight: number };

function rowsOf(fields: Field[], cut: number, form: Form): Row[] {
    const rows: Row[] = [];
    let row: Row = { first: 0, fields: [], weight: 0 };
    fields.forEach((field, index) => {
        row.fields.push(field);
        row.weight += form.base + field.capacity;
        if (index === fields.length - 1 || (cut >> index) & 1) {
            rows.push(row);
            row = { first: index + 1, fields: [], weight: 0 };
        }
    });
    return rows;
}

function lanesOf(rows: number, form: Form): number[] {
    const river = Math.floor(rows / 2) - 1;
    return Array.from({ length: rows - 1 }, (_, lane) => (lane === river ? form.river : form.lane));
}

/** Heights follow the rows' weights, but no row is lower than the least; the land grows if it must. */
function heightsOf(rows: Row[], height: number, form: Form): number[] {
    const lanes = lanesOf(rows.length, form).reduce((sum, lane) => sum + lane, 0);
    const free = Math.max(height - lanes, rows.length * form.minHeight);
    let rest = free;
    let weight = rows.reduce((sum, row) => sum + row.weight, 0);
    const low = new Set<Row>();
    // Lifting one row to the least takes height from the others, which may then fall below it too.
    for (let again = true; again;) {
        again = false;
        for (const row of rows) {
            if (low.has(row) || (rest * row.weight) / weight >= form.minHeight) continue;
            low.add(row);
            rest -= form.minHeight;
            weight -= row.weight;
            again = true;
        }
    }
    return rows.map((row) => (low.has(row) ? form.minHeight : (rest * row.weight) / weight));
}

function costOf(rows: Row[], heights: number[], width: number, form: Form): number {
    let cost = 0;
    rows.forEach((row, index) => {
        const height = heights[index] ?? 0;
        for (const field of row.fields) {
            const own = (width * (form.base + field.capacity)) / row.weight;
            const least = form.minWidth + Math.max(0, field.ranks - 3) * form.rankWidth;
            cost += Math.log(own / height / form.shape) ** 2;
            cost += SHORTFALL * Math.max(0, 1 - own / least);
        }
    });
    return cost;
}

/** How much land of these rows is higher than the space for it. */
function grownOf(heights: number[], height: number, form: Form): number {
    const lanes = lanesOf(heights.length, form).reduce((sum, lane) => sum + lane, 0);
    return Math.max(0, heights.reduce((sum, one) => sum + one, lanes) - height);
}

function cheapest(fields: Field[], width: number, height: number, form: Form): Row[] {
    let best: Row[] = [];
    let least = Infinity;
    for (let cut = 0; cut < 1 << Math.max(0, fields.length - 1); cut++) {
        const rows = rowsOf(fields, cut, form);
        const heights = heightsOf(rows, height, form);
        const grown = heights.reduce((sum, one) => sum + one, 0) - height;
        const cost =
            costOf(rows, heights, width, form) + (GROWTH * Math.max(0, grown)) / form.minHeight;
        if (cost < least) [best, least] = [rows, cost];
    }
    return best;
}

/** The largest upright box within four corners, away from the fence. */
function boxWithin([a, b, c, d]: Parcel["corners"], inset: number): Box {
    const left = Math.max(a.x, d.x) + inset;
    const top = Math.max(a.y, b.y) + inset;
    return {
        x: left,
        y: top,
        width: Math.min(b.x, c.x) - inset - left,
        height: Math.min(c.y, d.y) - inset - top,
    };
}

/** The upright box around a parcel, fence and halo included. */
export function boundsOf({ corners }: Parcel): Box {
    const xs = corners.map(({ x }) => x);
    const ys = corners.map(({ y }) => y);
    const [x, y] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))];
    return { x, y, width: Math.ceil(Math.max(...xs)) - x, height: Math.ceil(Math.max(...ys)) - y };
}

/** The rows of a land that was laid out before, if the same fields still fit in them. */
function keptRows(
    before: Land,
    fields: Field[],
    width: number,
    height: number,
    form: Form,
): Row[] | null {
    if (before.width !== width || before.parcels.length !== fields.length) return null;
    if (before.parcels.length === 0) return null;
    const cut = before.parcels.reduce(
        (sum, { row }, index) =>
            row === before.parcels[index + 1]?.row ? sum : sum | (1 << index),
        0,
    );
    const rows = rowsOf(fields, cut & ((1 << (fields.length - 1)) - 1), form);
    return grownOf(heightsOf(rows, height, form), height, form) > 0.5 ? null : rows;
}

/**
 * Lays fields out on land of this width, and at least this height.
 *
 * Land that only becomes higher or lower keeps the rows that it had, as long as it fits: no pasture moves to another place
 * because something is said above it.
 */
export function layOut(
    fields: Field[],
    width: number,
    height: number,
    form: Form,
    before: Land | null = null,
): Land {
    if (fields.length === 0 || width <= 0)
        return { width, height, parcels: [], river: [], bridge: null };
    const kept = before && keptRows(before, fields, width, height, form);
    const rows = kept ?? cheapest(fields, width, height, form);
    const heights = heightsOf(rows, height, form);
    const lanes = lanesOf(rows.length, form);
    const wave = (x: number, border: number): number =>
        form.wave * Math.sin((x / width) * (4 + (border % 3)) + border * 2);
    const parcels: Parcel[] = [];
    let river: Point[] = [];
    let bridge: Point | null = null;
    let top = 0;
    rows.forEach((row, index) => {
        const bottom = top + (heights[index] ?? 0);
        let x = 0;
        row.fields.forEach((field, at) => {
            const next = x + (width * (form.base + field.capacity)) / row.weight;
            const isFirst = at === 0;
            const isLast = at === row.fields.length - 1;
            const lean = (border: number): number =>
                form.lean * (border % 2 === index % 2 ? 1 : -1);
            const gap = form.lane / 2;
            const left = (side: number): number => (isFirst ? gap : x + gap + lean(at) * side);
            const right = (side: number): number =>
                isLast ? width - gap : next - gap + lean(at + 1) * side;
            const upper = index === 0 ? 0 : index * 2;
            const lower = index * 2 + 2;
            const corner = (px: number, py: number, border: number): Point => ({
                x: px,
                y: py + (border === 0 ? gap : border === rows.length * 2 ? -gap : wave(px, border)),
            });
            const corners: Parcel["corners"] = [
                corner(left(1), top, upper),
                corner(right(1), top, upper),
                corner(right(-1), bottom, lower),
                corner(left(-1), bottom, lower),
            ];
            parcels.push({ row: index, corners, box: boxWithin(corners, form.inset) });
            x = next;
        });
        const lane = lanes[index] ?? 0;
        if (lane > form.lane) {
            const middle = bottom + lane / 2;
            river = Array.from({ length: 9 }, (_, step) => {
                const at = (width * step) / 8;
                return { x: at, y: middle + wave(at, index * 2 + 2) };
            });
            const first = row.fields[0]?.capacity ?? 0;
            const crossing =
                width - (width * (form.base + (row.fields.at(-1)?.capacity ?? first))) / row.weight;
            bridge = { x: crossing, y: middle + wave(crossing, index * 2 + 2) };
        }
        top = bottom + lane;
    });
    return { width, height: top, parcels, river, bridge };
}

/** The form in which all fields are in sight at once; where none is, the usual one of this size, and the land grows. */
export function fitForm(fields: Field[], width: number, height: number): Form {
    const usual = formFor(width, height);
    const fits = (form: Form): boolean => layOut(fields, width, height, form).height <= height + 1;
    return usual === LARGE && !fits(LARGE) && fits(SIDEWAYS) ? SIDEWAYS : usual;
}

/** How many cows lie in a row, and how wide each is, so that all fit and are as large as can be. */
export function fitCows(
    { width, height }: { width: number; height: number },
    count: number,
    { largest, ratio }: { largest: number; ratio: number },
): { columns: number; size: number } {
    let best = { columns: count, size: 0 };
    for (let columns = 1; columns <= count; columns++) {
        const rows = Math.ceil(count / columns);
        const size = Math.min(largest, width / columns, height / rows / ratio);
        if (size > best.size) best = { columns: Math.max(columns, Math.floor(width / size)), size };
    }
    return { columns: Math.min(best.columns, count), size: Math.floor(best.size * 4) / 4 };
}

const round = (value: number): number => Math.round(value * 10) / 10;
const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;

function towards(from: Point, to: Point, distance: number): Point {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const share = Math.min(0.5, distance / length);
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** The ground of a parcel, its corners rounded. */
export function groundPath({ corners }: Parcel, radius: number): string {
    const parts = corners.map((corner, index) => {
        const before = corners[(index + 3) % 4] ?? corner;
        const after = corners[(index + 1) % 4] ?? corner;
        const start = at(towards(corner, before, radius));
        return `${index === 0 ? "M" : "L"}${start}Q${at(corner)} ${at(towards(corner, after, radius))}`;
    });
    return `${parts.join("")}Z`;
}

/** Where the gate is: its two posts on the lower border, the left one first. */
export function gateOf({ corners: [, , right, left] }: Parcel, width: number): [Point, Point] {
    const middle = towards(left, right, Math.hypot(right.x - left.x, right.y - left.y) * 0.3);
    return [towards(middle, left, width / 2), towards(middle, right, width / 2)];
}

/** The fence of a parcel: all around, but for its gate. */
export function fencePath(parcel: Parcel, radius: number, gate: number): string {
    const [from, to] = gateOf(parcel, gate);
    const [a, b, c, d] = parcel.corners;
    const turns = [d, a, b, c].map((corner, index, all) => {
        const before = all[index - 1] ?? from;
        const after = all[index + 1] ?? to;
        return `L${at(towards(corner, before, radius))}Q${at(corner)} ${at(towards(corner, after, radius))}`;
    });
    return `M${at(from)}${turns.join("")}L${at(to)}`;
}

/** A smooth line through points. */
export function smoothPath(points: Point[]): string {
    return points
        .map((point, index) => {
            const before = points[index - 1];
            if (!before) return `M${at(point)}`;
            const middle = (before.x + point.x) / 2;
            return `C${round(middle)} ${round(before.y)} ${round(middle)} ${round(point.y)} ${at(point)}`;
        })
        .join("");
}
