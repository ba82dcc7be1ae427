import "./lib/storage"; // first: other modules read what is stored when they are loaded
import { mount } from "svelte";
import App from "./App.svelte";
import "./lib/design/fonts.css";
import "./lib/design/tokens.css";
import "./lib/design/base.css";
import { start } from "./lib/i18n/index.svelte";
import { router } from "./lib/router.svelte";
import { registerWorker } from "./worker/register";

await start(undefined, location.pathname.startsWith("/embed/") ? "all" : "first");
const target = document.getElementById("app");
if (target && location.pathname.startsWith("/embed/")) {
    const { default: Embed } = await import("./pages/Embed.svelte");
    mount(Embed, { target, props: { path: location.pathname, query: location.search } });
} else if (target) {
    router.start();
    mount(App, { target });
    registerWorker();
}
