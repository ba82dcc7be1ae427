/** What every test of the client shares: patience. Only what never comes fails, not what comes late. */
import { configure } from "@testing-library/svelte";

configure({ asyncUtilTimeout: 60_000 });
