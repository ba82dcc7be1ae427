/** Where the numbers of turning points stand above a curve: each as near its point as the others allow. */

/** The middles of marks that are at least `apart` from each other and within the ends, in the order of the points. */
export function spread(points: number[], apart: number, [from, to]: [number, number]): number[] {
    const order = points
        .map((_, index) => index)
        .sort((a, b) => (points[a] ?? 0) - (points[b] ?? 0));
    const placed = points.map((point) => Math.min(Math.max(point, from), to));
    const at = (rank: number): number => order[rank] ?? 0;
    for (let rank = 1; rank < order.length; rank++)
        placed[at(rank)] = Math.max(placed[at(rank)] ?? 0, (placed[at(rank - 1)] ?? 0) + apart);
    // What was pushed over the end comes back, and pushes those before it.
    let limit = to;
    for (let rank = order.length - 1; rank >= 0; rank--) {
        placed[at(rank)] = Math.min(placed[at(rank)] ?? 0, limit);
        limit = (placed[at(rank)] ?? 0) - apart;
    }
    return placed;
}
