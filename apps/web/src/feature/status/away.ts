import { type Block, isRequestBlock, type Message } from "@turnwire/protocol";
import { counted } from "../../element/figure.ts";

/** What happened in a session while the person was away. */
export interface Away {
  readonly messages: number;
  readonly turns: number;
  readonly failedTurns: number;
  readonly answered: number;
  /** Requests that ended without an answer. */
  readonly unanswered: number;
}

/** What is new after `since`; undefined if nothing has ended. */
export function awayFrom(messages: readonly Message[], since: number): Away | undefined {
  const fresh = messages.filter(({ seq }) => seq > since);
  const agents = fresh.filter((message) => message.role === "agent");
  const results = agents.flatMap(({ result }) => (result ? [result] : []));
  const statuses = agents.flatMap(({ blocks }) => blocks.flatMap(requestStatus));
  const away = {
    messages: fresh.length,
    turns: results.length,
    failedTurns: results.filter(({ is_error }) => is_error).length,
    answered: statuses.filter((status) => status === "answered").length,
    unanswered: statuses.filter((status) => status !== "answered" && status !== "open").length,
  };
  return away.turns + away.answered + away.unanswered > 0 ? away : undefined;
}

function requestStatus(block: Block): string[] {
  if (block.type === "subagent") return block.blocks.flatMap(requestStatus);
  return isRequestBlock(block) ? [block.status] : [];
}

/** "3 new messages, 1 turn done, 1 request answered" */
export function awayText(away: Away): string {
  const parts = [
    away.messages > 0 && counted(away.messages, "new message"),
    away.turns > 0 && `${counted(away.turns, "turn")} done`,
    away.failedTurns > 0 && `${away.failedTurns} of them failed`,
    away.answered > 0 && `${counted(away.answered, "request")} answered`,
    away.unanswered > 0 && `${counted(away.unanswered, "request")} ended without an answer`,
  ];
  return parts.filter(Boolean).join(", ");
}
