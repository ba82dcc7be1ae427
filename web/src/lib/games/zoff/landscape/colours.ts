/** The colours of Zoff. Each has a brand, so that players who are colour-blind can tell them apart. */
export const COLOURS = ["orange", "pink", "green", "blue", "purple", "yellow"];

/** The brand burnt on a colour's cows: a path in a box of 10 × 10. */
export const BRANDS: Record<string, string> = {
    orange: "M5 1a4 4 0 1 0 .01 0z",
    pink: "M5 .8 9.4 9H.6z",
    green: "M1.3 1.3h7.4v7.4H1.3z",
    blue: "M5 .2 9.4 5 5 9.8.6 5z",
    purple: "M5 .2 6.4 3.7 10 4 7.2 6.3 8.1 9.9 5 7.9 1.9 9.9 2.8 6.3 0 4l3.6-.3z",
    yellow: "M3.5.8h3v2.7h2.7v3H6.5v2.7h-3V6.5H.8v-3h2.7z",
};
