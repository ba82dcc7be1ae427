/** What can be seen from afar on each pasture, and the colour of its ground. Other editions' pastures are plain grass. */
export type Landmark = { ground: string; paths: [d: string, fill: string][] };

const BARK = "#7a4a22";
const DARK = "#3b2a18";

const GRASS: Landmark = {
    ground: "grass",
    paths: [["M12 21Q11 13 7 9q5 3 5.5 8Q13 9 17 6q-3 6-2.5 15z", "#6b7f2c"]],
};

const LANDMARKS: Record<string, Landmark> = {
    "Lone-Star-Valley": {
        ground: "valley",
        paths: [
            ["M12 2 14.7 9l7.3.4-5.7 4.6 1.9 7.2L12 17.1 5.8 21.2 7.7 14 2 9.4 9.3 9z", "#c98a1b"],
        ],
    },
    "Powder-Prairie": {
        ground: "prairie",
        paths: [
            ["M6 5Q12 2 18 5 20.5 12 18 20 12 23 6 20 3.5 12 6 5z", BARK],
            ["M4.9 8.5h14.2v2H4.9zM4.9 15h14.2v2H4.9z", DARK],
            ["M11 4Q12 0 17 1 13 2 13 4z", "#c4472b"],
        ],
    },
    "Coffee-Canyon": {
        ground: "canyon",
        paths: [
            ["M5 10h12v7q0 4-6 4t-6-4z", "#8a5a34"],
            ["M17 11.5h2q3 0 3 3t-3 3h-2v-1.7h2q1.3 0 1.3-1.3T19 13.2h-2z", "#8a5a34"],
            ["M8 8Q6.5 6 8 4t0-3q2 2 .8 4T9.5 8zM13 8q-1.5-2 0-4t0-3q2 2 .8 4t.7 3z", "#a88a68"],
        ],
    },
    "Dead-Bull-Desert": {
        ground: "desert",
        paths: [
            [
                "M1 4q1 5 6 4.5Q12 7 17 8.5 22 9 23 4q1 8-5 8l-2 5-2 4.5h-4L8 17l-2-5Q0 12 1 4z",
                "#8a7355",
            ],
            [
                "M8.3 12.5q2 0 2 2.2-2 .5-2-2.2zM15.7 12.5q-2 0-2 2.2 2 .5 2-2.2zM11 18.5h.7v1.7H11zM12.4 18.5h.7v1.7h-.7z",
                "#fdf6e6",
            ],
        ],
    },
    "Fire-Fields": {
        ground: "fire",
        paths: [
            [
                "M12 1q6 6 6.5 11T14 22H9.5Q4 19 5.5 12.5q1-2.5 2-3.5.5 2 1.5 2.5Q8.5 6 12 1z",
                "#d1502a",
            ],
            ["M12.2 11q3 4 2.3 7T11.7 22Q9 20 9.7 17q1.2-1 2.5-6z", "#f3c761"],
        ],
    },
    "Drunk'n-Creek": {
        ground: "creek",
        paths: [
            ["M10 1h4v6q4 2 4 6v9H6v-9q0-4 4-6z", "#4d7a56"],
            ["M7.5 13.5h9v5h-9z", "#f5ecd8"],
            ["M10.3 14.5l3.4 3M13.7 14.5l-3.4 3", DARK],
        ],
    },
    "Lucky-Lake": {
        ground: "lake",
        paths: [
            [
                "M12 11Q6 10 7 6t5-1q4-3 5 1t-5 5zm0 0q-6-1-7 3t4 4q3 0 3-7zm0 0q6-1 7 3t-4 4q-3 0-3-7z",
                "#4c8a43",
            ],
            ["M12 11q0 6 3 11h-1.5Q11.3 17 11.3 11z", "#3a6b33"],
        ],
    },
    "Lucky-Pickle": {
        ground: "pickle",
        paths: [
            ["M5 18Q3 12 9 6t10-3q4 3 0 10T9 21q-3 0-4-3z", "#6f8f2e"],
            [
                "M8 16.5a.9.9 0 1 0 .01 0zM11 12a.9.9 0 1 0 .01 0zM15 8.5a.9.9 0 1 0 .01 0zM13.5 14.5a.9.9 0 1 0 .01 0zM17.5 6a.8.8 0 1 0 .01 0z",
                "#c8d88a",
            ],
        ],
    },
    "Buzzard-Bluff": {
        ground: "bluff",
        paths: [
            ["M0 8q6-3 10 2 2-1.5 4 0 4-5 10-2-4 0-6 4t-6 4-6-4-6-4z", "#74502f"],
            ["M9 22 12 17.5 16 22z", "#a9825a"],
        ],
    },
    "Dynamite-Mine": {
        ground: "mine",
        paths: [
            ["M4 8h4.5v14H4zM9.5 8H14v14H9.5zM15 8h4.5v14H15z", "#b23a2e"],
            ["M3.5 12.5h16.5v3H3.5z", "#f0d9a8"],
            ["M11.3 8Q11 3 16 3.5q3 .5 5-2-.5 4-5 3.5-3-.5-3 3z", DARK],
        ],
    },
    "Hang-Man-Mountains": {
        ground: "mountain",
        paths: [
            ["M0 22 8 6l5 8 3.5-5L24 22z", "#8b7561"],
            ["M8 6l2.7 4.4-1.7-.4-1.4 1.5-1.9-1zM16.5 9l1.9 3.3-1.9-.5-1.7.8z", "#fbf5e8"],
        ],
    },
    "Farmer's-Land": {
        ground: "farm",
        paths: [
            ["M3 22V10l9-7 9 7v12z", "#a8432f"],
            ["M8.5 22v-8h7v8zM10.3 8h3.4v3h-3.4z", "#f5ecd8"],
        ],
    },
};

export const landmark = (name: string): Landmark => LANDMARKS[name] ?? GRASS;
