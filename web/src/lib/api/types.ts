/** Short names for the generated types. Only this module and the games' own name the server's schemas. */
import type { components } from "./schema";

export type Schemas = components["schemas"];

export type TableView = Schemas["TableView"];
export type PlayerView = TableView["players"][number];
export type Message = Schemas["Message"];
export type ServerFrame = Schemas["ServerFrame"];
export type Frame<Type extends ServerFrame["type"]> = Extract<ServerFrame, { type: Type }>;
export type Command = Schemas["CommandRequest"]["command"];
export type GameAction = Schemas["GameAction"];
export type TableChanges = Schemas["TableChanges"];
export type Ack = Schemas["AckAnswer"];
export type Problem = Schemas["ProblemAnswer"];
export type TableAnswer = Schemas["TableAnswer"];
export type TableRequest = Schemas["TableRequest"];
export type LobbyTable = Schemas["LobbyTable"];
export type MyTable = Schemas["MyTable"];
export type GameInfo = Schemas["GameAnswer"];
export type EditionData = Schemas["Edition"];
export type EditionInfo = Omit<Schemas["EditionAnswer"], "data"> & { data: EditionData };
export type EditionCheck = Omit<Schemas["EditionCheckAnswer"], "edition"> & {
    edition: EditionInfo | null;
};
export type Clock = NonNullable<TableRequest["clock"]>;

export type ChatMessage = Schemas["SaidAnswer"];
export type ChatState = Schemas["ChatAnswer"];
export type ChatText = Pick<Schemas["SayRequest"], "phrase" | "text">;
export type Phrase = NonNullable<ChatText["phrase"]>;
export type Person = Schemas["PersonAnswer"];
export type ReportReason = Schemas["ReportRequest"]["reason"];

export type Account = Schemas["AccountView"];
export type Session = Schemas["SessionAnswer"];
export type Block = Schemas["BlockAnswer"];
export type Rating = Schemas["RatingAnswer"];
export type RatingChange = Schemas["ChangesAnswer"]["changes"][number];
export type Leaderboard = Schemas["BoardAnswer"];
export type LeaderboardCount = Schemas["BoardCount"];
export type LeaderboardLine = Schemas["RankedAnswer"];
export type PasskeyOptions = Schemas["PasskeyOptions"]["options"];
/** What a browser's passkey answers, as JSON. */
export type PasskeyAnswer = Schemas["PasskeyRequest"]["passkey"];

export type Replay = Schemas["ReplayAnswer"];
export type GameRecord = Schemas["RecordRequest"];
export type Analysis = Schemas["AnalysisAnswer"];
export type AnalysisRequest = Schemas["AnalysisRequest"];
export type PositionCheck = Schemas["PositionAnswer"];
export type Explored = Schemas["ExplorerAnswer"];
export type Advice = Schemas["AdviceAnswer"];
export type Puzzle = Schemas["PuzzleAnswer"];
export type Solution = Schemas["SolutionAnswer"];
export type LessonEntry = Schemas["LessonEntry"];
export type Lesson = Schemas["LessonAnswer"];
export type LessonStep = Schemas["LessonStepAnswer"];
export type LessonTry = Schemas["LessonTry"];

export type ReviewLine = Schemas["ReviewLine"];
export type ReviewedDecision = Schemas["ReviewedDecisionAnswer"];
export type CurvePoint = Schemas["CurvePointAnswer"];
/** A reason: a code, its values, and the sentence in English. */
export type ReviewReason = Schemas["SayingAnswer"];
