import { checkGrammar, type SessionEvent } from "@turnwire/protocol";
import { patch, text } from "@turnwire/conformance/openai-standin";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession, ending, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace({
  standin: {
    scenarios: {
      /** `<file> <before> <after>`: puts one line in the place of another. */
      change: ({ argument, round, toolOutputs }) => {
        const [file = "", before = "", after = ""] = argument.split(" ");
        return round === 0
          ? [patch(`*** Update File: ${file}`, "@@", `-${before}`, `+${after}`)]
          : [text(`Result: ${toolOutputs.at(-1)}`)];
      },
    },
  },
});
let host: SessionHost;

beforeAll(() => {
  host = place.openHost();
});
afterAll(() => host.close());

/** A session in which a file waits to be changed. */
async function openSession(file: string): Promise<AgentSession> {
  await writeFile(join(place.cwd, file), "one\n");
  const own = await AgentSession.create(host);
  onTestFinished(async () => {
    expect(checkGrammar(await own.events())).toEqual([]);
    await own.session.hibernate();
  });
  return own;
}

function contentOf(file: string): Promise<string> {
  return readFile(join(place.cwd, file), "utf8");
}

function hasAsked(events: readonly SessionEvent[]): boolean {
  return events.some(({ type }) => type === "permission_request");
}

function failures(events: readonly SessionEvent[]): boolean[] {
  return events.flatMap((event) => (event.type === "tool_result" ? [event.data.is_error] : []));
}

describe("a change of a file", () => {
  test("is shown to a person before it is made", async () => {
    const own = await openSession("shown.txt");
    const turnId = await own.say("SCENARIO:change shown.txt one two");
    const { tool_input } = await own.asked(turnId);
    expect(JSON.stringify(tool_input)).toContain("-one\\n+two");
    expect(await contentOf("shown.txt")).toBe("one\n");
    await own.decide(turnId, { behavior: "deny" });
  });

  test("that is allowed is made, and the next one is asked for again", async () => {
    const own = await openSession("allowed.txt");
    const first = await own.say("SCENARIO:change allowed.txt one two");
    const events = await own.decide(first, { behavior: "allow" });
    expect(await contentOf("allowed.txt")).toBe("two\n");
    expect(failures(events)).toEqual([false]);
    expect(events.some(({ type }) => type === "diff")).toBe(true);
    expect(ending(events).results).toEqual(["success"]);
    const second = await own.say("SCENARIO:change allowed.txt two three");
    await own.asked(second);
    expect(await contentOf("allowed.txt")).toBe("two\n");
    await own.decide(second, { behavior: "deny" });
  });

  test("that is allowed for the session is made, and the next one of that file unasked", async () => {
    const own = await openSession("session.txt");
    const first = await own.say("SCENARIO:change session.txt one two");
    const { suggestions = [] } = await own.asked(first);
    await own.decide(first, { behavior: "allow", updated_permissions: suggestions });
    expect(await contentOf("session.txt")).toBe("two\n");
    const events = await own.turn("SCENARIO:change session.txt two three");
    expect(hasAsked(events)).toBe(false);
    expect(await contentOf("session.txt")).toBe("three\n");
  });

  test("that is denied is not made, and the turn continues with that", async () => {
    const own = await openSession("denied.txt");
    const turnId = await own.say("SCENARIO:change denied.txt one two");
    const events = await own.decide(turnId, { behavior: "deny" });
    expect(await contentOf("denied.txt")).toBe("one\n");
    expect(failures(events)).toEqual([true]);
    expect(spoken(events)).toContain("rejected by user");
    expect(ending(events)).toMatchObject({ results: ["success"], isStopped: false });
  });

  test("that is denied with an interrupt is not made, and the turn is stopped", async () => {
    const own = await openSession("stopped.txt");
    const turnId = await own.say("SCENARIO:change stopped.txt one two");
    const events = await own.decide(turnId, { behavior: "deny", interrupt: true });
    expect(await contentOf("stopped.txt")).toBe("one\n");
    expect(spoken(events)).toBe("");
    expect(ending(events)).toMatchObject({ results: ["interrupted"], isStopped: true, done: 1 });
    expect(spoken(await own.turn("SCENARIO:text next"))).toBe("next");
    expect(await contentOf("stopped.txt")).toBe("one\n");
  });
});
