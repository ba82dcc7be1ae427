/** Light, dark, or as the system says; kept in this browser. */
export type Theme = "auto" | "light" | "dark";

const STORED = "stampede.theme";

class ThemeChoice {
    current = $state<Theme>("auto");

    constructor() {
        const stored = localStorage.getItem(STORED);
        if (stored === "light" || stored === "dark") this.choose(stored);
    }

    choose(theme: Theme): void {
        this.current = theme;
        if (theme === "auto") {
            delete document.documentElement.dataset["theme"];
            localStorage.removeItem(STORED);
        } else {
            document.documentElement.dataset["theme"] = theme;
            localStorage.setItem(STORED, theme);
        }
    }
}

export const theme = new ThemeChoice();
