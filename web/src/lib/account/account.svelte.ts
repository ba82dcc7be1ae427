/** The name that somebody keeps: who is signed in here, and what can be done about it. */
import { request } from "$lib/api/client";
import type { components } from "$lib/api/schema";

type Schemas = components["schemas"];
export type Account = Schemas["AccountView"];
export type Session = Schemas["SessionAnswer"];
export type Rating = Schemas["RatingAnswer"];
export type Board = Schemas["BoardAnswer"];
export type Block = Schemas["BlockAnswer"];

/** The browser gave no passkey: cancelled, or it has none. */
export class NoPasskey extends Error {}

class Signed {
    /** Undefined until the server has told, null for a guest. */
    account = $state.raw<Account | null | undefined>(undefined);

    async refresh(): Promise<void> {
        this.account = (await request<Schemas["AccountAnswer"]>("GET", "/api/account")).account;
    }
}

export const signed = new Signed();

export const canPasskey = (): boolean =>
    "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential;

type Options = { options: Record<string, unknown> };

async function made(options: Options): Promise<unknown> {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
        options.options as unknown as PublicKeyCredentialCreationOptionsJSON,
    );
    return answer(navigator.credentials.create({ publicKey }));
}

async function shown(options: Options): Promise<unknown> {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
        options.options as unknown as PublicKeyCredentialRequestOptionsJSON,
    );
    return answer(navigator.credentials.get({ publicKey }));
}

async function answer(asked: Promise<Credential | null>): Promise<unknown> {
    const credential = await asked.catch(() => null);
    if (!(credential instanceof PublicKeyCredential)) throw new NoPasskey();
    return credential.toJSON();
}

const post = <T>(path: string, body?: unknown) => request<T>("POST", path, body ?? {});
const drop = (path: string) => request<unknown>("DELETE", path);

export const names = {
    look: (name: string) =>
        request<Schemas["NameAnswer"]>("GET", `/api/names?name=${encodeURIComponent(name)}`),
    keep: (name: string, passphrase: string) =>
        post<Schemas["NewAccountAnswer"]>("/api/accounts", { name, passphrase }),
    async keepByPasskey(name: string): Promise<Schemas["NewAccountAnswer"]> {
        const passkey = await made(await post<Options>("/api/accounts/passkey", { name }));
        return post("/api/accounts", { name, passkey });
    },
    enter: (name: string, passphrase: string) => post("/api/sessions", { name, passphrase }),
    async enterByPasskey(): Promise<void> {
        const passkey = await shown(await post<Options>("/api/sessions/passkey"));
        await post("/api/sessions", { passkey });
    },
    recover: (name: string, code: string, passphrase: string) =>
        post("/api/sessions/recover", { name, code, passphrase }),
    rename: (name: string) => post<Schemas["SignInAnswer"]>("/api/account/name", { name }),
    confirm: (passphrase: string) => post("/api/account/confirm", { passphrase }),
    async confirmByPasskey(): Promise<void> {
        const passkey = await shown(await post<Options>("/api/sessions/passkey"));
        await post("/api/account/confirm", { passkey });
    },
    passphrase: (passphrase: string) => post("/api/account/passphrase", { passphrase }),
    codes: () => post<Schemas["CodesAnswer"]>("/api/account/recovery-codes"),
    async addPasskey(): Promise<void> {
        const passkey = await made(await post<Options>("/api/account/passkeys/options"));
        await post("/api/account/passkeys", { passkey });
    },
    removePasskey: (id: string) => drop(`/api/account/passkeys/${id}`),
    sessions: async () =>
        (await request<Schemas["SessionsAnswer"]>("GET", "/api/sessions")).sessions,
    end: (id: string) => drop(`/api/sessions/${id}`),
    endOthers: () => drop("/api/sessions"),
    games: (before: number | null) =>
        request<Schemas["MyGamesAnswer"]>(
            "GET",
            `/api/account/games?limit=20${before === null ? "" : `&before=${before}`}`,
        ),
    ratings: async () =>
        (await request<Schemas["RatingsAnswer"]>("GET", "/api/account/ratings")).ratings,
    blocks: async () => (await request<Schemas["BlocksAnswer"]>("GET", "/api/blocks")).blocks,
    unblock: (id: string) => drop(`/api/blocks/${id}`),
    remove: () => drop("/api/account"),
};
