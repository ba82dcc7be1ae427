/** Names for the generated types that the client uses. The games' own views are typed in `$lib/zoff` and `$lib/buffalo`. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type TableView = Schemas["TableViewAnswer"];
export type PlayerView = TableView["players"][number];
export type Proposal = TableView["proposals"][number];
export type Message = Schemas["MessageAnswer"];
export type ServerFrame = Schemas["ServerFrame"];
export type Command = Schemas["CommandRequest"]["command"];
export type Act = Extract<Command, { type: "act" }>;
export type Ack = Schemas["AckAnswer"];
export type Problem = Schemas["ProblemAnswer"];
export type TableRequest = Schemas["TableRequest"];
export type Opened = Schemas["OpenedAnswer"];
export type LobbyTable = Schemas["LobbyTable"];
export type Games = Schemas["GamesAnswer"]["games"];
export type Clock = Schemas["ClockRequest"];

/** What happened in a game: a kind, and the fields of that kind. */
export type GameEvent = { kind: string; [field: string]: unknown };
/** Why: a code to translate, the rule behind it, and what the sentence needs. */
export type Reason = { code: string; clause: string; [value: string]: unknown };
