import { checkGrammar } from "@turnwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../2-session/session-host.ts";
import { useClaudePlace } from "./test-support/claude-place.ts";
import { runClaude } from "./test-support/claude-program.ts";
import { ClaudeSession, openClaudeHost } from "./test-support/claude-session.ts";

const place = useClaudePlace();

function openHost(): { host: SessionHost; errors: unknown[] } {
  const errors: unknown[] = [];
  const host = openClaudeHost(place, {}, { onError: (error) => errors.push(error) });
  onTestFinished(() => host.close());
  return { host, errors };
}

/** Puts the agent to sleep and continues the conversation in a terminal. */
async function continueInTerminal(session: ClaudeSession, ...prompts: string[]): Promise<void> {
  await session.session.hibernate();
  const id = session.providerSessionId ?? "";
  for (const prompt of prompts) {
    await runClaude(place, "-p", "--model", "claude-opus-5-5", "--resume", id, prompt);
  }
}

/** What people said, in the order of the turns that it began. */
async function promptsOf(session: ClaudeSession): Promise<string[]> {
  const events = await session.events();
  expect(checkGrammar(events)).toEqual([]);
  const turns = events.filter(({ type }) => type === "turn_started");
  expect(events.filter(({ type }) => type === "done")).toHaveLength(turns.length);
  const said = events.flatMap((event) => (event.type === "user_message" ? [event.data] : []));
  expect(said).toHaveLength(turns.length);
  return said.map(({ content: [block] }) => (block?.type === "text" ? block.text : ""));
}

/** What the model was sent in its newest call. */
function remembered(): string[] {
  const body = JSON.stringify(place.standin.requests.at(-1)?.body);
  return Array.from(body.matchAll(/SCENARIO:text (\w+)/g), ([, word = ""]) => word);
}

describe("what was said in a terminal", () => {
  test("is in the log before the next turn, once", async () => {
    const { host, errors } = openHost();
    const session = await ClaudeSession.create(host);
    await session.turn("SCENARIO:text first");
    await continueInTerminal(session, "SCENARIO:text second");
    await session.turn("SCENARIO:text third");
    expect(remembered()).toEqual(["first", "second", "third"]);
    const words = ["first", "second", "third"].map((word) => `SCENARIO:text ${word}`);
    expect(await promptsOf(session)).toEqual(words);
    await session.session.hibernate();
    await session.turn("SCENARIO:text fourth");
    expect(await promptsOf(session)).toEqual([...words, "SCENARIO:text fourth"]);
    const { state } = await session.session.snapshot();
    expect(state.messages.map(({ role }) => role)).toEqual(
      [1, 2, 3, 4].flatMap(() => ["user", "agent"]),
    );
    expect(errors).toEqual([]);
  });

  test("can be rolled back, and what was rolled back does not return", async () => {
    const { host } = openHost();
    const session = await ClaudeSession.create(host);
    await session.turn("SCENARIO:text first");
    await continueInTerminal(session, "SCENARIO:text second", "SCENARIO:text third");
    await session.session.wake();
    const started = (await session.events()).filter(({ type }) => type === "turn_started");
    expect(started).toHaveLength(3);
    await session.execute({ type: "rollback", turn_id: started[1]?.turn_id ?? "" });
    await session.session.hibernate();
    await session.turn("SCENARIO:text fourth");
    expect(remembered()).toEqual(["first", "fourth"]);
    await session.session.hibernate();
    await session.turn("SCENARIO:text fifth");
    expect(await promptsOf(session)).toEqual(
      ["first", "second", "third", "fourth", "fifth"].map((word) => `SCENARIO:text ${word}`),
    );
  });

  test("goes to the copy that it was said to", async () => {
    const { host } = openHost();
    const source = await ClaudeSession.create(host);
    await source.turn("SCENARIO:text first");
    const { forked } = await source.execute({ type: "fork" });
    const copy = await ClaudeSession.open(host, forked?.session_id ?? "");
    await continueInTerminal(copy, "SCENARIO:text second");
    await copy.turn("SCENARIO:text third");
    await source.session.hibernate();
    await source.turn("SCENARIO:text other");
    const words = (...said: string[]) => said.map((word) => `SCENARIO:text ${word}`);
    expect(await promptsOf(copy)).toEqual(words("first", "second", "third"));
    expect(await promptsOf(source)).toEqual(words("first", "other"));
  });

  test("is not confused with what the CLI writes when it compacts", async () => {
    const { host } = openHost();
    const session = await ClaudeSession.create(host);
    await session.turn("SCENARIO:text first");
    await session.turn("SCENARIO:tool echo by-a-tool");
    await session.execute({ type: "compact" });
    await session.until("compacted");
    await continueInTerminal(session, "SCENARIO:text second");
    await session.turn("SCENARIO:text third");
    expect(await promptsOf(session)).toEqual([
      "SCENARIO:text first",
      "SCENARIO:tool echo by-a-tool",
      "SCENARIO:text second",
      "SCENARIO:text third",
    ]);
  });
});
