import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import { boardAt, cascadeAt, spotlight, tagsAt, withCows } from "./landscape/board";
import { isPlacement, nextCows } from "./docks/bonus";
import { Choice } from "./docks/choice.svelte";
import { redactCards, withEvents, type ZoffEvent } from "./story/events";
import { bonusRefusals, outlooks } from "./forecast";
import { SAMPLE_EVENTS, sampleChoose, sampleEvents, sampleTable, sampleView } from "./sample";
import { describeStep, why } from "./story/describe";
import { Timeline } from "./story/timeline.svelte";
import type { BonusLegal, ChooseLegal, Pasture, Reason } from "./view";

const steps = withEvents([], SAMPLE_EVENTS, 10);
const kinds = steps.map((step) => step.events[0].kind);
const at = (kind: ZoffEvent["kind"], nth = 0): number =>
    kinds.flatMap((one, index) => (one === kind ? [index + 1] : []))[nth] ?? -1;

describe("the board at a step", () => {
    it("ends at the server's view", () => {
        expect(boardAt(sampleView(), steps, steps.length).pastures).toEqual(sampleView().pastures);
    });

    it("takes later cows back, into the reserves", () => {
        const board = boardAt(sampleView(), steps, at("revealed"));
        expect(board.pastures.map((one) => one.herds)).toEqual([
            { orange: 1 },
            { green: 4, orange: 1 },
            { pink: 1 },
        ]);
        expect(board.pastures.map((one) => one.free)).toEqual([3, 1, 8]);
        expect(board.reserves).toEqual({ orange: 46, pink: 47, green: 44 });
    });

    it("never has more or fewer spaces than a pasture's capacity", () => {
        for (let shown = 0; shown <= steps.length; shown++) {
            for (const one of boardAt(sampleView(), steps, shown).pastures) {
                const cows = Object.values(one.herds).reduce((sum, herd) => sum + herd, 0);
                expect(cows + one.free).toBe(one.capacity);
            }
        }
    });

    it("orders the pairs beside a pasture and passes them one by one (Z4.2)", () => {
        const states = (shown: number) =>
            tagsAt(sampleView(), steps, shown)
                .get("Small")
                ?.map((tag) => `${tag.order}${tag.colour} ${tag.state}`);
        expect(states(at("revealed"))).toEqual(["0orange waiting", "0pink waiting"]);
        expect(states(at("precedence"))).toEqual(["1orange next", "2pink waiting"]);
        expect(states(at("placed"))).toEqual(["1orange placed", "2pink next"]);
        expect(tagsAt(sampleView(), steps, steps.length).size).toBe(0);
    });

    it("shows the cascade as a queue (Z5.4)", () => {
        const cascade = (shown: number) => cascadeAt(sampleView(), steps, shown);
        expect(cascade(at("filled"))).toEqual(["Small"]);
        expect(cascade(at("filled", 1))).toEqual(["Small", "Middle"]);
        expect(cascade(at("bonus_placed", 2))).toEqual(["Middle"]);
        expect(cascade(at("wasted"))).toEqual([]);
    });

    it("lights the pastures that a step is about", () => {
        expect([...spotlight(steps[at("bonus_placed") - 1])]).toEqual(["Middle"]);
    });
});

describe("telling", () => {
    beforeAll(() => start("en"));

    it("says what happened and why, with the clause", () => {
        const told = (shown: number) => describeStep(sampleTable(), steps[shown - 1]!);
        expect(told(at("precedence")).text).toBe("Small: Anna goes first.");
        expect(told(at("precedence")).why[0]).toBe("1. Anna: has a herd of 1 here (Z4.2)");
        expect(told(at("placed", 1)).why).toEqual(["Not 2: only 1 free space (Z4.3)"]);
        expect(told(at("filled", 1)).why).toEqual(["Its bonuses wait behind Small."]);
        expect(told(at("bonus_placed", 2)).why[0]).toContain("Z5.2");
    });

    it("has words for every step, with and without the cards", () => {
        for (const step of [...steps, ...redactCards(steps)]) {
            const { text, why } = describeStep(sampleTable(), step);
            for (const line of [text, ...why]) expect(line).not.toMatch(/zoff\.|^$|undefined|\{\{/);
        }
    });

    it("leaves no cow card in a round that is over (Z6.1)", () => {
        expect(JSON.stringify(redactCards(steps))).not.toMatch(/\d[A-Z]"/);
    });
});

describe("the timeline", () => {
    beforeEach(() => {
        localStorage.clear();
        sessionStorage.clear();
    });

    function begun(): Timeline {
        const timeline = new Timeline("t");
        timeline.take([], sampleTable(sampleView(), 9));
        return timeline;
    }

    it("tells step by step, back and forth, and ends in the present", () => {
        const timeline = begun();
        timeline.take([sampleEvents(SAMPLE_EVENTS, 10)], sampleTable());
        expect(timeline.live).toBe(false);
        timeline.forward(0);
        timeline.forward(0);
        timeline.back();
        expect([timeline.shown, timeline.playing]).toEqual([1, false]);
        timeline.skip();
        expect(timeline.live).toBe(true);
    });

    it("takes a message once, however often it is sent", () => {
        const timeline = begun();
        const message = sampleEvents(SAMPLE_EVENTS, 10);
        timeline.take([message], sampleTable());
        timeline.take([message], sampleTable());
        expect(timeline.steps).toHaveLength(steps.length);
    });

    it("forgets the cards once the round has been watched (Z6.1)", () => {
        const timeline = begun();
        timeline.take([sampleEvents(SAMPLE_EVENTS, 10)], sampleTable());
        expect(JSON.stringify(timeline.steps)).toContain("2B");
        timeline.skip();
        expect(JSON.stringify(timeline.steps)).not.toMatch(/\d[A-Z]"/);
    });

    it("holds only the round that is shown", () => {
        const timeline = begun();
        timeline.take([sampleEvents(SAMPLE_EVENTS, 10)], sampleTable());
        timeline.skip();
        timeline.take([sampleEvents(SAMPLE_EVENTS, 11)], sampleTable(sampleView(), 11));
        timeline.forward(0);
        expect([timeline.shown, timeline.steps.length]).toEqual([1, steps.length]);
    });

    it("plays what wasn't watched before the page was opened again", () => {
        sessionStorage.setItem("stampede.zoff.watched.t", "9");
        const timeline = new Timeline("t");
        timeline.take([], sampleTable());
        timeline.remember([sampleEvents(SAMPLE_EVENTS, 10)]);
        expect([timeline.shown, timeline.live]).toEqual([0, false]);
    });

    it("shows all at once when asked to", () => {
        const timeline = begun();
        timeline.choose("instant");
        timeline.take([sampleEvents(SAMPLE_EVENTS, 10)], sampleTable());
        expect(timeline.live).toBe(true);
    });
});

describe("choosing", () => {
    const legal = sampleChoose({
        pastures: ["Small", "Middle", "Large"],
        cards: ["2B", "3D", "4M"],
    });
    const choosing = (changes: Partial<ChooseLegal> = {}): Choice => {
        const choice = new Choice();
        choice.setUp({ ...legal, ...changes }, "1");
        return choice;
    };

    it("fills pair after pair, or pastures first and cards then", () => {
        for (const order of ["Small 2B Large 3D", "Small Large 2B 3D", "2B Small 3D Large"]) {
            const choice = choosing();
            for (const what of order.split(" ")) {
                if (legal.cards.includes(what)) choice.tapCard(what);
                else choice.tapPasture(what);
            }
            expect(choice.json().pairs).toEqual([
                ["Small", "2B"],
                ["Large", "3D"],
            ]);
        }
    });

    it("takes a second tap back", () => {
        const choice = choosing();
        choice.tapPasture("Small");
        choice.tapPasture("Small");
        expect(choice.slots[0]?.pasture).toBeNull();
    });

    it("takes a card dropped on a pasture, and never uses it twice", () => {
        const choice = choosing();
        choice.pair("Middle", "4M");
        choice.pair("Large", "4M");
        expect(choice.slots.map((slot) => slot.card)).toEqual([null, "4M"]);
    });

    it("lays a pair for each colour (Z10.4)", () => {
        const choice = choosing({ colours: ["blue", "green"] });
        choice.pair("Middle", "4M");
        choice.pair("Large", "2B");
        expect(choice.json().pairs).toEqual([
            ["Middle", "4M", "blue"],
            ["Large", "2B", "green"],
        ]);
    });

    it("needs only cards when a single pasture is open (Z3.3, Z10.5)", () => {
        const choice = choosing({ pastures: ["Large"], pairs: 1 });
        choice.tapCard("3D");
        expect(choice.complete).toBe(true);
        expect(choice.json().pairs).toEqual([["Large", "3D"]]);
    });

    it("keeps what is put together while the same is asked", () => {
        const choice = choosing();
        choice.tapPasture("Small");
        choice.setUp(legal, "1");
        expect(choice.slots[0]?.pasture).toBe("Small");
        choice.setUp(legal, "2");
        expect(choice.slots[0]?.pasture).toBeNull();
    });
});

describe("placing", () => {
    const ways = [[], ["Small"], ["Large", "Large"], ["Small", "Middle"]];

    it("offers the pastures that lead to one of the server's ways (Z5.2)", () => {
        expect([...nextCows(ways, [])].sort()).toEqual(["Large", "Middle", "Small"]);
        expect([...nextCows(ways, ["Middle"])]).toEqual(["Small"]);
        expect(nextCows(ways, ["Large", "Large"]).size).toBe(0);
    });

    it("knows when the cows are one of them, in whatever order", () => {
        expect(isPlacement(ways, ["Middle", "Small"])).toBe(true);
        expect(isPlacement(ways, ["Large"])).toBe(false);
        expect(isPlacement(ways, [])).toBe(true);
    });
});

describe("pairs by keys, and after a reload", () => {
    const legal = sampleChoose({
        pastures: ["a", "b", "c"],
        cards: ["2B", "5A", "5B"],
    });
    const begun = (): Choice => {
        const choice = new Choice();
        choice.setUp(legal, "1/choose");
        return choice;
    };

    it("takes a card by its value, and the next one of that value when asked again", () => {
        const choice = begun();
        choice.tapValue("5", legal.cards);
        expect(choice.slots[0]?.card).toBe("5A");
        choice.tapValue("5", legal.cards);
        expect(choice.slots[0]?.card).toBe("5B");
        choice.tapValue("7", legal.cards);
        expect(choice.slots[0]?.card).toBe("5B");
    });

    it("never gives one card to two pairs", () => {
        const choice = begun();
        choice.tapPasture("a");
        choice.tapValue("5", legal.cards);
        choice.tapValue("5", legal.cards);
        expect(choice.slots.map((slot) => slot.card)).toEqual(["5A", "5B"]);
    });

    it("empties the pair that was filled last", () => {
        const choice = begun();
        choice.tapPasture("a");
        choice.tapCard("2B");
        choice.clear();
        expect(choice.slots[0]).toMatchObject({ pasture: null, card: null });
    });

    it("takes a draft up again for the same decision only, and only what is possible", () => {
        const before = begun();
        before.tapPasture("b");
        before.tapCard("5A");
        const again = begun();
        again.takeUp(before.draft(), legal);
        expect(again.json()).toEqual(before.json());
        const later = new Choice();
        later.setUp(legal, "2/choose");
        later.takeUp(before.draft(), legal);
        expect(later.slots[0]).toMatchObject({ pasture: null, card: null });
        const other = begun();
        other.takeUp(before.draft(), { ...legal, pastures: ["a", "c"] });
        expect(other.slots[0]).toMatchObject({ pasture: null, card: null });
    });
});

describe("what the server's legal actions say", () => {
    const equal: Reason = { code: "equal_herd", clause: "Z5.3", size: 2, colour: "blue" };
    const full: Reason = { code: "no_space", clause: "Z5.3", free: 1 };
    const pasture = (name: string, free: number): Pasture => ({
        name,
        capacity: 10,
        bonus: [],
        free,
        herds: {},
    });

    it("tells why a bonus cow can't go to an open pasture, cow by cow", () => {
        const bonus: BonusLegal = {
            type: "bonus",
            from: "full",
            kind: "rank",
            colour: "green",
            cows: 2,
            on: [[], ["open"], ["narrow", "open"], ["open", "open"]],
            refused: [
                { pastures: ["equal", "full"], cows: [1], reason: equal },
                { pastures: ["narrow"], cows: [2], reason: full },
            ],
        };
        const pastures = [
            pasture("full", 0),
            pasture("open", 3),
            pasture("narrow", 1),
            pasture("equal", 3),
        ];
        const told = bonusRefusals(pastures, bonus, []);
        expect([...told]).toEqual([["equal", why(equal)]]);
        expect([...bonusRefusals(pastures, bonus, ["narrow"]).keys()]).toEqual(["narrow", "equal"]);
        expect(bonusRefusals(pastures, bonus, ["open", "open"]).size).toBe(0);
    });

    it("gives the outlook on a pasture, by colour", () => {
        const choose = sampleChoose({
            forecast: {
                Large: {
                    orange: {
                        order: ["pink", "orange", "green"],
                        by: "herd",
                        taken: { pink: 5, blue: 4 },
                    },
                },
            },
        });
        expect(outlooks(choose, "Large")).toEqual([
            {
                colour: "orange",
                taken: [
                    { colour: "blue", size: 4 },
                    { colour: "pink", size: 5 },
                ],
                before: ["pink"],
                behind: ["green"],
                byHerd: true,
            },
        ]);
        expect(outlooks(choose, "Small")).toEqual([]);
        expect(outlooks({ type: "none" }, "Large")).toEqual([]);
    });

    it("leaves the ranks of herds to their sizes", () => {
        expect(withCows({ blue: 4, pink: 2 }, { green: 3, pink: 3 })).toEqual([
            ["pink", 5],
            ["blue", 4],
            ["green", 3],
        ]);
    });
});
