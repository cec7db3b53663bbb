/**
 * Whether streams go over WebSocket or as server-sent events, where the client may choose. Pure.
 * A network that blocks one WebSocket blocks them all, so the choice is the client's, not a stream's.
 */
export type TransportChoice =
  | {
      readonly type: "websocket";
      /** A stream has been opened this way before. */
      readonly hasWorked: boolean;
      /** How often in a row none could be opened, though the server was reached. */
      readonly blocked: number;
    }
  /** Used until this time: a machine that moves to another network leaves its proxy behind. */
  | { readonly type: "sse"; readonly until: number };

/** The fate of a WebSocket. blocked: it could not be opened, though the server was reached. */
export type TransportNews = "opened" | "blocked";

/** A transport that worked before is given more chances. */
const chances = 3;
const retryAfterMs = 600_000;

export const firstChoice: TransportChoice = { type: "websocket", hasWorked: false, blocked: 0 };

/** The choice for a stream that is opened now. */
export function choiceAt(choice: TransportChoice, now: number): TransportChoice {
  return choice.type === "sse" && now >= choice.until ? firstChoice : choice;
}

export function choiceAfter(
  choice: TransportChoice,
  news: TransportNews,
  now: number,
): TransportChoice {
  if (news === "opened") return { type: "websocket", hasWorked: true, blocked: 0 };
  if (choice.type === "sse") return choice;
  const blocked = choice.blocked + 1;
  const isGivenUp = !choice.hasWorked || blocked >= chances;
  return isGivenUp ? { type: "sse", until: now + retryAfterMs } : { ...choice, blocked };
}
