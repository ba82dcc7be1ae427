// The plain page: home, or a table. Knows no rules: it shows what the server says is legal.
import { showHome } from "/page/home.js";
import { showTable } from "/page/table.js";

const main = document.getElementById("main");
const found = location.pathname.match(/^\/t\/([A-Za-z0-9]+)$/);
if (found) showTable(main, found[1]);
else showHome(main);
