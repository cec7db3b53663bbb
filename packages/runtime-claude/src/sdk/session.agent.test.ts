import { text, toolUse } from "@turnwire/conformance/anthropic-standin";
import { checkGrammar } from "@turnwire/protocol";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { admin } from "../../../server/src/test-support/test-host.ts";
import { killAgents, useClaudePlace } from "../test-support/claude-place.ts";
import { playSuggestion } from "../test-support/suggestion.ts";
import { ClaudeSession, ending, openClaudeHost, spoken } from "../test-support/claude-session.ts";

const noted = { file_path: "noted.txt" };
const place = useClaudePlace({
  scenarios: {
    rewrite: ({ round }) =>
      [
        [toolUse("Read", noted)],
        [toolUse("Edit", { ...noted, old_string: "old", new_string: "new" })],
      ][round] ?? [text("Done.")],
  },
});
let host: SessionHost;
/** One process serves most tests: starting one takes most of a second. */
let shared: ClaudeSession;

beforeAll(async () => {
  host = openClaudeHost(place);
  shared = await ClaudeSession.create(host);
});

afterAll(async () => {
  const violations = checkGrammar(await shared.events());
  await host.close();
  if (violations.length > 0) throw new Error(JSON.stringify(violations));
});

const success = { results: ["success"], isError: false, isStopped: false, done: 1 };
const stopped = { results: ["interrupted"], isError: false, isStopped: true, done: 1 };

describe("a session of Claude", () => {
  test("answers, and reports its provider session, models and commands", async () => {
    const events = await shared.turn("SCENARIO:text hello there");
    expect(spoken(events)).toBe("hello there");
    expect(ending(events)).toEqual(success);
    const { capabilities } = shared.session.control.session;
    expect(shared.providerSessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(capabilities.models.length).toBeGreaterThan(0);
    expect(capabilities.slash_commands.map(({ name }) => name)).toContain("compact");
  });

  test("reports after each turn how full its context is", async () => {
    const events = await shared.turn("SCENARIO:text hello there");
    const usage = events.findLast((event) => event.type === "usage");
    expect(usage?.data.context_tokens).toBeGreaterThan(0);
    expect(usage?.data.context_window).toBeGreaterThan(usage?.data.context_tokens ?? 0);
  });

  test("gives a long answer whole", async () => {
    const events = await shared.turn("SCENARIO:long 3000");
    expect(spoken(events).split(" ").filter(Boolean)).toHaveLength(3000);
    expect(ending(events)).toEqual(success);
  });

  test("keeps every kind of letter", async () => {
    const text = "Grüße 你好 🚀 👩‍👩‍👧";
    expect(spoken(await shared.turn(`SCENARIO:text ${text}`))).toBe(text);
  });

  test("uses a harmless tool without asking", async () => {
    const events = await shared.turn("SCENARIO:tool echo hi");
    const [result] = events.flatMap((event) => (event.type === "tool_result" ? [event.data] : []));
    expect(result).toMatchObject({ is_error: false });
    expect(spoken(events)).toContain("hi");
  });

  test("runs a tool with the input that a person changed", async () => {
    const turnId = await shared.say("SCENARIO:tool touch never-made.txt");
    const events = await shared.decide(turnId, {
      behavior: "allow",
      updated_input: { command: "touch made-instead.txt && echo made", description: "other" },
    });
    expect(spoken(events)).toContain("made");
    expect(existsSync(join(place.cwd, "made-instead.txt"))).toBe(true);
    expect(existsSync(join(place.cwd, "never-made.txt"))).toBe(false);
  });

  test("shows what a write would change before it is allowed, and what it changed afterwards", async () => {
    writeFileSync(join(place.cwd, "noted.txt"), "kept\nold\nkept too\n");
    const turnId = await shared.say("SCENARIO:rewrite");
    const { diff } = await shared.asked(turnId);
    const changed = "@@ -1,3 +1,3 @@\n kept\n-old\n+new\n kept too\n";
    expect(diff).toContain(changed);
    const events = await shared.decide(turnId, { behavior: "allow" });
    const results = events.flatMap((event) => (event.type === "tool_result" ? [event.data] : []));
    expect(results.at(-1)?.diff).toContain(changed);
  });

  test("gives the agent the reason why a tool was denied, and continues", async () => {
    const turnId = await shared.say("SCENARIO:tool touch denied.txt");
    const events = await shared.decide(turnId, { behavior: "deny", message: "not on a Sunday" });
    expect(spoken(events)).toContain("not on a Sunday");
    expect(ending(events)).toEqual(success);
  });

  test("stops the turn when a tool is denied with an interrupt, and answers the next", async () => {
    const turnId = await shared.say("SCENARIO:tool touch denied.txt");
    const events = await shared.decide(turnId, { behavior: "deny", interrupt: true });
    expect(ending(events)).toEqual(stopped);
    expect(ending(await shared.turn("SCENARIO:text next"))).toEqual(success);
  });

  test("does not ask again once the first suggestion was taken", async () => {
    const events = await playSuggestion(place, host, {
      before: "SCENARIO:write first.txt",
      after: "SCENARIO:write second.txt",
    });
    expect(events.some(({ type }) => type === "permission_request")).toBe(false);
  });

  test("still waits after an answer that allows more than an answer may", async () => {
    const turnId = await shared.say("SCENARIO:tool touch still-asked.txt");
    const { correlation_id } = await shared.asked(turnId);
    for (const update of [
      { type: "setMode", mode: "bypassPermissions", destination: "session" },
      { type: "setMode", mode: "acceptEdits", destination: "userSettings" },
    ]) {
      const allow = { type: "permission_response", correlation_id, behavior: "allow" } as const;
      const answer = { ...allow, updated_permissions: [update] };
      expect(await shared.session.execute(answer, admin)).toMatchObject({
        ok: false,
        error: { code: "invalid_request" },
      });
    }
    expect(ending(await shared.decide(turnId, { behavior: "deny" }))).toEqual(success);
  });

  test("takes answers to its questions: one label, several, and a note", async () => {
    const turnId = await shared.say("SCENARIO:question");
    const answers = { "Which database?": "Postgres", "Which features?": ["Auth", "Search"] };
    const events = await shared.answerQuestion(turnId, answers, { "Which database?": "v17" });
    expect(spoken(events)).toContain('"Which database?"="Postgres" notes: v17');
    expect(spoken(events)).toContain('"Which features?"="Auth, Search"');
  });

  test("runs a sub-agent under the tool use that spawned it", async () => {
    const events = await shared.turn("SCENARIO:agent SCENARIO:text from below");
    const spawn = events.find(
      (event) => event.type === "tool_start" && event.data.subagent_spawn === true,
    );
    const id = spawn?.type === "tool_start" ? spawn.data.tool_use_id : "";
    expect(events.some(({ subagent_id }) => subagent_id === id)).toBe(true);
    expect(ending(events)).toEqual(success);
  });

  test("ends a turn only after its background agents", async () => {
    const turnId = await shared.say("SCENARIO:background-agent SCENARIO:hold background");
    await shared.until("delta", (event) => event.turn_id === turnId && isOnItsWay(event.data.text));
    await place.standin.reached("background");
    expect(shared.session.control.turn?.turn_id).toBe(turnId);
    place.standin.release("background");
    expect(ending(await shared.ended(turnId))).toEqual(success);
  });

  const tool = { name: "w", description: "d", input_schema: { type: "object" } };
  test.each([
    ["a name with capitals", [{ ...tool, name: "LocalWeather" }], "small letters"],
    ["a name of the agent's own", [{ ...tool, name: "ask_user" }], "already a tool"],
    ["a name twice", [tool, tool], "already a tool w"],
    ["a schema of no object", [{ ...tool, input_schema: { type: "string" } }], "object"],
    ["no list", { w: tool }, "array"],
  ])("is not created with frontend tools that have %s", async (_, frontend_tools, why) => {
    const created = await host.create({ params: { frontend_tools } }, admin);
    expect(created).toMatchObject({
      ok: false,
      error: { code: "invalid_request", retryable: false },
    });
    expect(JSON.stringify(created)).toContain(why);
  });

  test("is asked for its plan, which stands in the request", async () => {
    const own = await ClaudeSession.create(host, { permission_mode: "plan" });
    const turnId = await own.say("SCENARIO:plan 1. Do it well.");
    const request = await own.asked(turnId);
    expect(request.tool_name).toBe("ExitPlanMode");
    expect(JSON.stringify(request.tool_input)).toContain("1. Do it well.");
    expect(ending(await own.decide(turnId, { behavior: "allow" }))).toEqual(success);
    await own.session.hibernate();
  });
});

function isOnItsWay(text: string): boolean {
  return text.includes("way");
}

describe("an interrupt", () => {
  test("stops the text and keeps what was said", async () => {
    const turnId = await shared.say("SCENARIO:hold cut-text");
    await place.standin.reached("cut-text");
    await shared.until("delta", (event) => event.turn_id === turnId);
    await shared.execute({ type: "interrupt" });
    const events = await shared.ended(turnId);
    expect(ending(events)).toEqual(stopped);
    expect(spoken(events)).toContain("before");
  });

  test("stops a tool that runs", async () => {
    // A long `sleep` would be refused by the CLI at once.
    const turnId = await shared.say("SCENARIO:tool tail -f /dev/null");
    await shared.until("tool_start", (event) => event.turn_id === turnId);
    await shared.execute({ type: "interrupt" });
    expect(ending(await shared.ended(turnId))).toEqual(stopped);
  });

  test("cancels a request that waits", async () => {
    const turnId = await shared.say("SCENARIO:tool touch pending.txt");
    await shared.asked(turnId);
    await shared.execute({ type: "interrupt" });
    const events = await shared.ended(turnId);
    const [outcome] = events.flatMap((event) =>
      event.type === "permission_resolved" ? [event.data.outcome] : [],
    );
    expect(outcome).toBe("cancelled");
    expect(ending(events)).toEqual(stopped);
  });

  test("right after the message stops that turn and no other", async () => {
    const turnId = await shared.say("SCENARIO:hold at-once");
    await shared.execute({ type: "interrupt" });
    expect(ending(await shared.ended(turnId))).toEqual(stopped);
    expect(ending(await shared.turn("SCENARIO:text after"))).toEqual(success);
  });
});

describe("more than one message", () => {
  test("waits its turn in the queue", async () => {
    const first = await shared.say("SCENARIO:hold queue");
    await place.standin.reached("queue");
    const waiting = ["one", "two"].map((word) =>
      shared.execute({ type: "user_message", content: `SCENARIO:text ${word}`, delivery: "queue" }),
    );
    await Promise.all(waiting);
    place.standin.release("queue");
    await shared.ended(first);
    await shared.until("delta", ({ data }) => data.text.includes("one"));
    const last = await shared.until("delta", ({ data }) => data.text.includes("two"));
    expect(ending(await shared.ended(last.turn_id ?? ""))).toEqual(success);
  });

  test("steers a turn while a tool runs", async () => {
    const turnId = await shared.say("SCENARIO:tool until [ -e steered ]; do sleep 0.1; done");
    await shared.until("tool_start", (event) => event.turn_id === turnId);
    await shared.execute({ type: "steer", content: "mind the gap" });
    writeFileSync(join(place.cwd, "steered"), "");
    const events = await shared.ended(turnId);
    expect(spoken(events)).toContain("mind the gap");
    expect(ending(events)).toEqual(success);
  });

  test("steers a turn while it speaks: the answer belongs to the same turn", async () => {
    const turnId = await shared.say("SCENARIO:hold steered");
    await place.standin.reached("steered");
    await shared.execute({ type: "steer", content: "SCENARIO:text steered well" });
    place.standin.release("steered");
    const events = await shared.ended(turnId);
    expect(spoken(events)).toContain("steered well");
    expect(ending(events)).toEqual(success);
  });
});

describe("settings", () => {
  test("change the model of the next turn", async () => {
    await shared.execute({ type: "set_model", model: "claude-haiku-5-5" });
    await shared.turn("SCENARIO:text which model");
    expect(place.standin.requests.at(-1)?.call?.model).toBe("claude-haiku-5-5");
    await shared.execute({ type: "set_model", model: "claude-opus-5-5" });
  });

  test("change what is asked for", async () => {
    await shared.execute({ type: "set_permission_mode", mode: "acceptEdits" });
    const events = await shared.turn("SCENARIO:write accepted.txt");
    expect(events.some(({ type }) => type === "permission_request")).toBe(false);
    expect(existsSync(join(place.cwd, "accepted.txt"))).toBe(true);
    await shared.execute({ type: "set_permission_mode", mode: "default" });
  });
});

describe("images and documents", () => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  test("reach the model", async () => {
    const pdf = Buffer.from("%PDF-1.4\n%%EOF\n").toString("base64");
    const note = Buffer.from("Grüße").toString("base64");
    const events = await shared.turn([
      { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: pdf } },
      { type: "document", source: { type: "base64", media_type: "text/plain", data: note } },
      { type: "text", text: "SCENARIO:text seen" },
    ]);
    expect(ending(events)).toEqual(success);
    const body = JSON.stringify(place.standin.requests.at(-1)?.body);
    expect(body).toContain('"media_type":"image/');
    expect(body).toContain('"media_type":"application/pdf"');
    expect(body).toContain("Grüße");
  });
});

describe("when the model fails", () => {
  test("the turn ends once, as an error", async () => {
    const events = await shared.turn("SCENARIO:error 400");
    expect(ending(events)).toMatchObject({ isError: true, isStopped: false, done: 1 });
    expect(ending(await shared.turn("SCENARIO:text fine again"))).toEqual(success);
  });

  test("in the middle of the stream, the turn still ends once", async () => {
    expect(ending(await shared.turn("SCENARIO:cut"))).toMatchObject({ done: 1, isStopped: false });
    expect(ending(await shared.turn("SCENARIO:text fine again"))).toEqual(success);
  });
});

describe("when the process dies", () => {
  test("in a turn, the turn and its request end and the next message wakes a new one", async () => {
    const own = await ClaudeSession.create(openHost());
    await own.turn("SCENARIO:text remember me");
    const turnId = await own.say("SCENARIO:tool touch lost.txt");
    await own.asked(turnId);
    // Asleep, so that only the one that works is killed.
    await shared.session.hibernate();
    await killAgents();
    const events = await own.ended(turnId);
    const outcomes = events.flatMap((event) =>
      event.type === "permission_resolved" ? [event.data.outcome] : [],
    );
    expect(outcomes).toEqual(["orphaned"]);
    expect(events.some((event) => event.type === "error")).toBe(true);
    const next = await own.turn("SCENARIO:text here again");
    expect(ending(next)).toEqual(success);
    expect(JSON.stringify(place.standin.requests.at(-1)?.body)).toContain("remember me");
  });

  const hosts: SessionHost[] = [];
  function openHost(): SessionHost {
    const other = openClaudeHost(place);
    hosts.push(other);
    return other;
  }
  afterAll(async () => {
    await Promise.all(hosts.map((other) => other.close()));
  });
});
