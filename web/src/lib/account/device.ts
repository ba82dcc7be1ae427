/** A short device name from its user agent; the whole user agent when it is unknown. */
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
