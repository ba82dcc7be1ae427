/** A device in two words, from what its browser says of itself; all of it when that says nothing to us. */
const BROWSERS: [RegExp, string][] = [
    [/Edg\//, "Edge"],
    [/OPR\//, "Opera"],
    [/Firefox\//, "Firefox"],
    [/Chrom(e|ium)\//, "Chrome"],
    [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
    [/Android/, "Android"],
    [/iPhone|iPad/, "iOS"],
    [/Windows/, "Windows"],
    [/Mac OS X/, "macOS"],
    [/Linux|X11/, "Linux"],
];

export function deviceName(agent: string): string {
    const first = (known: [RegExp, string][]) => known.find(([sign]) => sign.test(agent))?.[1];
    const found = [first(BROWSERS), first(SYSTEMS)].filter((part) => part !== undefined);
    return found.length > 0 ? found.join(" · ") : agent;
}
