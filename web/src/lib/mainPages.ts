/** The pages that the head of every page leads to; on a phone its foot. */
import { moved, pageExists } from "./router.svelte";

export const mainPages = [
    { page: "learn", href: "/learn", text: "common.learn" },
    { page: "puzzles", href: "/puzzles", text: "common.puzzles" },
    { page: "watch", href: "/watch", text: "common.watch" },
    { page: "leaders", href: "/leaders", text: "common.leaders" },
].filter(({ href }) => pageExists(moved(href) ?? href));
