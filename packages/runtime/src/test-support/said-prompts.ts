import { checkGrammar } from "@turnwire/protocol";
import { expect } from "vitest";
import type { AgentSession } from "./agent-session.ts";

/** What people said, without `SCENARIO:text`, in the order of the turns that it began. */
export async function promptsOf(session: AgentSession): Promise<string[]> {
  const events = await session.events();
  expect(checkGrammar(events)).toEqual([]);
  const turns = events.filter(({ type }) => type === "turn_started");
  expect(events.filter(({ type }) => type === "done")).toHaveLength(turns.length);
  const said = events.flatMap((event) => (event.type === "user_message" ? [event.data] : []));
  expect(said).toHaveLength(turns.length);
  return said.flatMap(({ content: [block] }) =>
    block?.type === "text" ? [block.text.replace("SCENARIO:text ", "")] : [],
  );
}
