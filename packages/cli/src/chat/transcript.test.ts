import {
  draft,
  type EventDraft,
  foldAll,
  initialState,
  type SessionEvent,
} from "@turnwire/protocol";
import * as fc from "fast-check";
import picocolors from "picocolors";
import { describe, expect, test } from "vitest";
import type { Format } from "../terminal/format.ts";
import { demoEvents, logOf } from "../test-support/demo-events.ts";
import { Transcript } from "./transcript.ts";

const plain: Format = { width: 60, colors: picocolors.createColors(false) };

const eventsFrom = (drafts: readonly EventDraft[]): SessionEvent[] => logOf(drafts, "t");

/** Shows the events in groups, as they may arrive; answers with everything that was printed. */
function printed(events: readonly SessionEvent[], groups: readonly number[] = []): string[] {
  const transcript = new Transcript();
  const ends = [...groups.map((end) => Math.min(end, events.length)), events.length];
  let state = initialState();
  const lines: string[] = [];
  let start = 0;
  for (const end of ends.toSorted((left, right) => left - right)) {
    state = foldAll(state, events.slice(start, end));
    start = end;
    lines.push(...transcript.advance(state, plain).lines);
  }
  return lines;
}

/** What stands on the screen after each event, printed lines and live ones apart. */
function* steps(events: readonly SessionEvent[]) {
  const transcript = new Transcript();
  let state = initialState();
  for (const event of events) {
    state = foldAll(state, [event]);
    yield { event, ...transcript.advance(state, plain) };
  }
}

const asked = {
  correlation_id: "r",
  tool_use_id: "x",
  tool_name: "Bash",
  tool_input: { command: "touch a" },
};

test("a command that was changed is printed as it ran, with what it was changed from", () => {
  const lines = printed(
    eventsFrom([
      draft("tool_start", {
        message_id: "m",
        tool_use_id: "x",
        tool: "Bash",
        input: asked.tool_input,
        command: "touch a",
      }),
      draft("permission_request", asked),
      draft("permission_resolved", {
        correlation_id: "r",
        tool_name: "Bash",
        allowed: true,
        outcome: "answered",
        updated_input: { command: "touch b" },
      }),
      draft("tool_result", { tool_use_id: "x", output: "", is_error: false, duration_ms: 1 }),
    ]),
  );
  expect(lines).toContain("● Bash touch b");
  expect(lines).toContain("  changed from: touch a");
});

test("a call that the policy refused says why, and one that it asks about too", () => {
  const policy = { mode: "planner", policy_version: "v1", rule: "write.outside" };
  const reason = "it writes /etc/hosts";
  const lines = printed(
    eventsFrom([
      draft("policy_decision", {
        tool_use_id: "x",
        tool: "Bash",
        verdict: "deny",
        reason,
        ...policy,
      }),
      draft("tool_start", { message_id: "m", tool_use_id: "x", tool: "Bash", command: "touch a" }),
      draft("tool_result", { tool_use_id: "x", output: "no", is_error: true }),
      draft("permission_request", { ...asked, tool_use_id: "y", policy: { reason, ...policy } }),
    ]),
  );
  const text = lines.join(" ").replaceAll(/\s+/g, " ");
  expect(text).toContain(
    "refused by policy: it writes /etc/hosts (rule write.outside, mode planner)",
  );
  expect(text).toContain(
    "the policy asks: it writes /etc/hosts (rule write.outside, mode planner)",
  );
});

test("a plan is asked about once, as it is written, also when there is none", () => {
  const plan = (text: string) => ({
    ...asked,
    tool_name: "ExitPlanMode",
    tool_input: { plan: text },
    context: { plan: text },
  });
  const lines = printed(eventsFrom([draft("permission_request", plan("# Do it\n\n1. Now"))]));
  expect(lines.slice(lines.indexOf("? Approve this plan?"))).toEqual([
    "? Approve this plan?",
    "  # Do it",
    "  ",
    "  1. Now",
  ]);
  expect(printed(eventsFrom([draft("permission_request", plan(""))]))).toContain(
    "  The agent gave no plan text.",
  );
});

test("retries are one line that counts", () => {
  const retry = (count: number) =>
    draft("notice", { level: "warning", text: `Retry ${count} of 9`, notice_id: "retry" });
  const lines = printed(
    eventsFrom([
      retry(1),
      retry(2),
      retry(3),
      draft("delta", { message_id: "m", text: "At last." }),
    ]),
    [1, 2, 3],
  );
  expect(lines.filter((line) => line.includes("Retry"))).toEqual(["⚠ Retry 3 of 9"]);
});

test("a request about several things shows the parts of each on lines of their own", () => {
  const tool_input = {
    changes: [
      { path: "/a.txt", diff: "+one\n+two" },
      { path: "/b.txt", diff: "-three" },
    ],
    tags: ["x", "y"],
  };
  const request = { correlation_id: "r", tool_name: "patch", tool_input };
  const lines = printed(eventsFrom([draft("permission_request", request)]));
  expect(lines.slice(lines.indexOf("? Allow patch?"))).toEqual([
    "? Allow patch?",
    "  changes:",
    "    path: /a.txt",
    "    diff: +one",
    "      +two",
    "    path: /b.txt",
    "    diff: -three",
    '  tags: ["x","y"]',
  ]);
});

describe("a transcript", () => {
  test.each([
    "/markdown",
    "/thinking",
    "/tools",
    "/read",
    "/diff",
    "/tool-error",
    "/long 3",
    "/error",
  ])("of %s is the same however its events come in", async (text) => {
    const events = await demoEvents(text);
    const whole = printed(events);
    fc.assert(
      fc.property(fc.array(fc.nat(events.length), { maxLength: 20 }), (groups) => {
        expect(printed(events, groups)).toEqual(whole);
      }),
      { numRuns: 30 },
    );
    expect(
      printed(
        events,
        events.map((_, index) => index),
      ),
    ).toEqual(whole);
  });

  test("prints a tool when it is done, and shows the end of its output while it runs", () => {
    const tool = { message_id: "m", tool_use_id: "u", tool: "Bash", command: "make" };
    const output = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join("");
    const all = steps(
      eventsFrom([
        draft("turn_started", { turn_id: "t" }),
        draft("tool_start", tool),
        draft("tool_output", { tool_use_id: "u", text: output }),
        draft("tool_result", { tool_use_id: "u", output, is_error: false, duration_ms: 2000 }),
      ]),
    );
    const [, started, streaming, done] = [...all];
    expect(started?.live).toEqual(["◌ Bash make"]);
    expect(streaming?.lines).toEqual([]);
    expect(streaming?.live).toEqual([
      "◌ Bash make",
      "  …",
      ...[14, 15, 16, 17, 18, 19].map((number) => `  line ${number}`),
    ]);
    expect(done?.lines[0]).toBe("● Bash make · 2.0 s");
    expect(done?.live).toEqual([]);
  });

  test("does not hold back what is said while a tool runs", () => {
    const tool = { message_id: "m", tool_use_id: "u", tool: "Bash", command: "make" };
    const lines = printed(
      eventsFrom([
        draft("turn_started", { turn_id: "t" }),
        draft("tool_start", tool),
        draft("delta", { message_id: "m2", text: "Meanwhile.\n\n" }),
      ]),
    );
    expect(lines).toEqual(["Meanwhile."]);
  });

  test("puts sub-agents under their names, also when they take turns", async () => {
    const lines = printed(
      await demoEvents("/subagents"),
      Array.from({ length: 500 }, (_, index) => index),
    );
    // A busy machine makes a tool slow enough to say how long it took.
    const text = lines
      .join("\n")
      .replaceAll(/\d+\.\d s/g, "N s")
      .replaceAll(/(● .*) · N s$/gm, "$1");
    expect(text).toMatchInlineSnapshot(`
      "› /subagents

      I will share this out to two helpers.

      ◆ explorer
      │ Looking for the store.

      │ ● Grep class .*Store in src
      │   1 line

      ◆ reviewer
      │ I have a tester check the change while I read it.

      ◆ explorer
      │ It is in \`src/store.ts\`.

      ◆ explorer completed · 1 tool · N s

      ◆ reviewer
      │ ◆ tester
      │ │ ● Bash npm test
      │ │   12 passed

      │ ◆ tester completed · 1 tool · N s
      │ ● Edit src/greet.ts
      │   -   
      │   +  
      │   Removed a blank.

      │ Fine, apart from one blank.

      ◆ reviewer completed · 2 tools · 1 file changed · N s

      Both are back: sessions live in \`src/store.ts\`, and the
      change is fine.

      ✓ N s · 44 tokens"
    `);
  });

  test("prints a plan when something follows it, and again when it has changed", () => {
    const plan = (status: "pending" | "completed") =>
      draft("plan", { steps: [{ text: "Look", status }] });
    const lines = printed(
      eventsFrom([
        draft("turn_started", { turn_id: "t" }),
        plan("pending"),
        draft("delta", { message_id: "m", text: "Off we go.\n\n" }),
        plan("completed"),
        draft("done", { turn_id: "t" }),
      ]),
      [1, 2, 3, 4, 5],
    );
    expect(lines).toEqual(["Plan", "  ☐ Look", "", "Off we go.", "", "Plan", "  ☑ Look"]);
  });

  test("prints a component that keeps changing twice: as it came and as it was in the end", () => {
    const update = (percent: number) =>
      draft("component_update", {
        component_id: "c",
        name: "progress",
        surface: "chat",
        props: { percent },
        merge: false,
      });
    const text = draft("delta", { message_id: "m", text: "Loading.\n" });
    const events = eventsFrom([
      draft("turn_started", { turn_id: "t" }),
      update(0),
      text,
      ...[10, 20, 30, 100].map(update),
      draft("done", { turn_id: "t" }),
    ]);
    const boxes = printed(events, [1, 2, 3, 4, 5, 6, 7]).filter((line) => line.includes("percent"));
    expect(boxes).toEqual(["│ percent: 0", "│ percent: 100"]);
  });

  test("says so when messages are taken back", () => {
    const turn = (id: string) => [
      draft(
        "user_message",
        {
          message_id: id,
          content: [{ type: "text", text: id }],
          delivery: "turn",
        },
        { turn_id: id },
      ),
      draft("turn_started", { turn_id: id, message_id: id }, { turn_id: id }),
      draft("done", { turn_id: id }, { turn_id: id }),
    ];
    const events = eventsFrom([
      ...turn("one"),
      ...turn("two"),
      draft("rolled_back", { turn_id: "two" }),
      ...turn("three"),
    ]);
    const lines = printed(events, [6, 7]);
    expect(lines).toEqual([
      "› one",
      "",
      "› two",
      "",
      "↶ rolled back: 1 message taken back",
      "",
      "› three",
    ]);
  });

  test("begins with the newest messages of an old session", async () => {
    const state = foldAll(initialState(), await demoEvents("/markdown"));
    const transcript = new Transcript();
    expect(transcript.skipAllBut(1, state)).toBe(1);
    const { lines } = transcript.advance(state, plain);
    expect(lines).not.toContain("› /markdown");
    expect(lines).toContain("# What markdown can do");
  });

  test("sends no control character of an agent to the terminal, wherever it hides", () => {
    const evil = "\u001b]0;x\u0007\u001b[2J\u009b31m";
    const json = { [evil]: evil, options: [evil] };
    const asked = { correlation_id: "", tool_use_id: evil };
    const drafts: EventDraft[] = [
      draft("user_message", {
        message_id: "m",
        content: [{ type: "text", text: evil }],
        delivery: "turn",
      }),
      draft("turn_started", { turn_id: "t", message_id: "m" }),
      draft("delta", { message_id: "a", text: `${evil}\n\`\`\`${evil}\n${evil}\n\`\`\`\n` }),
      draft("thinking", { message_id: "a", text: evil, done: true }),
      draft("tool_start", { message_id: "a", tool_use_id: "1", tool: evil, input: json }),
      draft("tool_output", { tool_use_id: "1", text: evil }),
      draft("tool_result", { tool_use_id: "1", output: evil, is_error: true }),
      draft("permission_request", {
        ...asked,
        correlation_id: "p",
        tool_name: evil,
        tool_input: json,
      }),
      draft("question_request", {
        ...asked,
        correlation_id: "q",
        questions: [
          {
            question: evil,
            header: evil,
            options: [{ label: evil, description: evil, preview: evil }],
          },
        ],
      }),
      draft("hook_request", { ...asked, correlation_id: "h", hook_event: evil, hook_input: json }),
      draft("interrupt", { interrupt_id: "i", component_name: evil, props: json, surface: "chat" }),
      draft("tool_call_request", { ...asked, correlation_id: "c", tool_name: evil, input: json }),
      draft("component_update", {
        component_id: "x",
        name: evil,
        surface: "chat",
        props: json,
        merge: false,
      }),
      draft("component_update", {
        component_id: "y",
        name: evil,
        surface: "panel",
        props: json,
        merge: false,
      }),
      draft("state_snapshot", { state: json }),
      draft("plan", { steps: [{ text: evil, status: "pending" }], explanation: evil }),
      draft("diff", { unified: `+${evil}` }),
      draft("task", { task_id: evil, status: "running", description: evil }),
      draft("mcp_status", { server_name: evil, status: evil }),
      draft("notice", { level: "error", text: evil }),
      draft("error", { code: evil, message: evil, retryable: false }),
      draft("session_updated", { title: evil, model: evil, permission_mode: evil }),
      draft("result", { turn_id: "t", subtype: evil, is_error: true, text: evil }),
      draft("done", { turn_id: "t" }),
    ];
    for (const { event, lines, live } of steps(eventsFrom(drafts))) {
      const bad = [...lines, ...live].filter((line) => /\p{Cc}/u.test(line));
      expect([event.type, bad]).toEqual([event.type, []]);
    }
  });
});
