/** The switches of a rule set that are on, with their texts: for lists, the lobby and the table. */
import type { GameInfo } from "$lib/api/types";
import { t } from "$lib/i18n/index.svelte";

export type RuleText = { key: string; name: string; text: string };

export function variantText(key: string): RuleText {
    return {
        key,
        name: t(`create.variant.${key}.name`),
        text: t(`create.variant.${key}.text`),
    };
}

export function houseRuleText(key: string): RuleText {
    return {
        key,
        name: t(`create.houseRule.${key}.name`),
        text: t(`create.houseRule.${key}.text`),
    };
}

/** Variants and house rules that are on, in the order in which the server lists them. */
export function rulesOn(info: GameInfo | undefined, rules: object): RuleText[] {
    const isOn = (key: string) => (rules as Record<string, unknown>)[key] === true;
    return [
        ...(info?.variants ?? []).filter(isOn).map(variantText),
        ...(info?.house_rules ?? []).filter(isOn).map(houseRuleText),
    ];
}
