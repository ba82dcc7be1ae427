/** Accounts: who is signed in here, and the requests about an account. */
import { answerOf, rest } from "$lib/api/client";
import type { Account, PasskeyAnswer, PasskeyOptions } from "$lib/api/types";

/** The browser gave no passkey: cancelled, or it has none. */
export class NoPasskey extends Error {}

class CurrentUser {
    /** Undefined until the server has answered, null for a guest. */
    account = $state.raw<Account | null | undefined>(undefined);

    async refresh(): Promise<void> {
        this.account = (await answerOf(rest.GET("/api/account"))).account;
    }
}

export const currentUser = new CurrentUser();

export const canPasskey = (): boolean =>
    "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential;

type CreationOptions = PublicKeyCredentialCreationOptionsJSON;
type RequestOptions = PublicKeyCredentialRequestOptionsJSON;
const areCreationOptions = (options: object): options is CreationOptions =>
    ["challenge", "pubKeyCredParams", "rp", "user"].every((field) => field in options);
const areRequestOptions = (options: object): options is RequestOptions => "challenge" in options;

/** Has the browser create a passkey for the server's options. */
async function createPasskey({ options }: { options: PasskeyOptions }): Promise<PasskeyAnswer> {
    if (!areCreationOptions(options)) throw new NoPasskey();
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return passkeyJson(navigator.credentials.create({ publicKey }));
}

/** Has the browser sign the server's challenge with a passkey that it has. */
async function getPasskey(): Promise<PasskeyAnswer> {
    const { options } = await answerOf(rest.POST("/api/sessions/passkey"));
    if (!areRequestOptions(options)) throw new NoPasskey();
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return passkeyJson(navigator.credentials.get({ publicKey }));
}

async function passkeyJson(asked: Promise<Credential | null>): Promise<PasskeyAnswer> {
    const credential = await asked.catch(() => null);
    if (!(credential instanceof PublicKeyCredential)) throw new NoPasskey();
    return { ...credential.toJSON() };
}

export const accounts = {
    checkName: (name: string) => answerOf(rest.GET("/api/names", { params: { query: { name } } })),
    register: (name: string, passphrase: string) =>
        answerOf(rest.POST("/api/accounts", { body: { name, passphrase, label: "" } })),
    async registerByPasskey(name: string) {
        const options = await answerOf(rest.POST("/api/accounts/passkey", { body: { name } }));
        const passkey = await createPasskey(options);
        return answerOf(rest.POST("/api/accounts", { body: { name, passkey, label: "" } }));
    },
    signIn: (name: string, passphrase: string) =>
        answerOf(rest.POST("/api/sessions", { body: { name, passphrase } })),
    async signInByPasskey(): Promise<void> {
        await answerOf(rest.POST("/api/sessions", { body: { passkey: await getPasskey() } }));
    },
    recover: (name: string, code: string, passphrase: string) =>
        answerOf(rest.POST("/api/sessions/recover", { body: { name, code, passphrase } })),
    rename: (name: string) => answerOf(rest.POST("/api/account/name", { body: { name } })),
    confirm: (passphrase: string) =>
        answerOf(rest.POST("/api/account/confirm", { body: { passphrase } })),
    async confirmByPasskey(): Promise<void> {
        const passkey = await getPasskey();
        await answerOf(rest.POST("/api/account/confirm", { body: { passkey } }));
    },
    setPassphrase: (passphrase: string) =>
        answerOf(rest.POST("/api/account/passphrase", { body: { passphrase } })),
    newRecoveryCodes: async () =>
        (await answerOf(rest.POST("/api/account/recovery-codes"))).recovery_codes,
    async addPasskey(): Promise<void> {
        const options = await answerOf(rest.POST("/api/account/passkeys/options"));
        const passkey = await createPasskey(options);
        await answerOf(rest.POST("/api/account/passkeys", { body: { passkey, label: "" } }));
    },
    removePasskey: (id: string) =>
        answerOf(
            rest.DELETE("/api/account/passkeys/{passkey_id}", {
                params: { path: { passkey_id: id } },
            }),
        ),
    sessions: async () => (await answerOf(rest.GET("/api/sessions"))).sessions,
    endSession: (id: string) =>
        answerOf(
            rest.DELETE("/api/sessions/{session_id}", { params: { path: { session_id: id } } }),
        ),
    endOtherSessions: () => answerOf(rest.DELETE("/api/sessions")),
    games: (before: number | null) =>
        answerOf(
            rest.GET("/api/account/games", {
                params: { query: { limit: 20, ...(before === null ? {} : { before }) } },
            }),
        ),
    ratings: async () => (await answerOf(rest.GET("/api/account/ratings"))).ratings,
    blocks: async () => (await answerOf(rest.GET("/api/blocks"))).blocks,
    unblock: (id: string) =>
        answerOf(rest.DELETE("/api/blocks/{block_id}", { params: { path: { block_id: id } } })),
    remove: () => answerOf(rest.DELETE("/api/account")),
};
