import { describe, expect, it } from "vitest";
import { ensureStorage } from "./storage";

describe("storage", () => {
    it("is replaced by memory where the browser forbids it", () => {
        const scope = {} as Window;
        Object.defineProperty(scope, "localStorage", {
            configurable: true,
            get: () => {
                throw new DOMException("denied", "SecurityError");
            },
        });
        ensureStorage(scope);
        scope.localStorage.setItem("a", "1");
        expect(scope.localStorage.getItem("a")).toBe("1");
        expect(scope.localStorage.key(0)).toBe("a");
        expect(scope.localStorage.length).toBe(1);
        scope.localStorage.removeItem("a");
        expect(scope.localStorage.getItem("a")).toBeNull();
    });

    it("is left alone where it works", () => {
        const before = window.localStorage;
        ensureStorage();
        expect(window.localStorage).toBe(before);
    });
});
