import { mount } from "svelte";
import App from "./App.svelte";
import "./lib/design/fonts.css";
import "./lib/design/tokens.css";
import "./lib/design/base.css";
import { start } from "./lib/i18n/index.svelte";
import { router } from "./lib/router.svelte";

await start();
router.start();
const target = document.getElementById("app");
if (target) mount(App, { target });
