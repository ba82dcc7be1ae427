/** Set-up for all tests: long timeouts, so that a slow machine fails none. */
import { configure } from "@testing-library/svelte";

configure({ asyncUtilTimeout: 60_000 });
