import { checkGrammar } from "@turnwire/protocol";
import { anything, assert, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { codexNormalizer } from "./normalize.ts";
import { unwrapped } from "./tool-use.ts";
import {
  begin,
  command,
  completed,
  delta,
  item,
  play,
  root,
  spawn,
  started,
  typesOf,
} from "../test-support/spoken.ts";

describe("foreign input", () => {
  test("never throws, and what is unknown is kept", () => {
    assert(
      property(anything(), (message) => {
        const [, events] = codexNormalizer.step(codexNormalizer.initial(), message);
        expect(typesOf(events)).toEqual(["native"]);
      }),
    );
  });

  test("of a known method in an unknown form is kept", () => {
    const message = { method: "turn/completed", params: { threadId: 7 } };
    const { drafts } = play(message);
    expect(drafts).toMatchObject([{ type: "native", data: { source: "codex", payload: message } }]);
  });

  test("with an item of an unknown kind is kept", () => {
    const { drafts } = play(...begin, item("completed", { type: "dream", id: "d" }));
    expect(drafts.at(-1)).toMatchObject({ type: "native" });
  });
});

describe("a thread without a name", () => {
  test("is heard once its spawn comes, under the sub-agent", () => {
    const replay = play(...begin, started("child", "c1"), delta("m", "early", "child"));
    expect(typesOf(replay.drafts)).not.toContain("delta");
    const events = replay.take(item("started", spawn));
    expect(events).toMatchObject([
      { type: "tool_start", data: { subagent_spawn: true, subagent_name: "helper" } },
      { type: "delta", data: { text: "early" }, subagent_id: "spawn" },
    ]);
    expect(checkGrammar(replay.log)).toEqual([]);
  });

  test("does not end the turn of the session", () => {
    const { drafts } = play(...begin, item("started", spawn), completed("child", "c1"));
    expect(typesOf(drafts)).not.toContain("done");
  });

  test("is kept as it is when the agent dies first", () => {
    const replay = play(...begin, delta("m", "early", "child"));
    expect(replay.endNow().map(({ type }) => type)).toContain("native");
  });
});

describe("a turn that was not sent", () => {
  test("shows nothing when it only compacts", () => {
    const { drafts } = play(
      ...begin,
      completed(root, "n1"),
      started(root, "n2"),
      item("completed", { type: "contextCompaction", id: "c" }, root, "n2"),
      completed(root, "n2"),
    );
    expect(typesOf(drafts).slice(-3)).toEqual(["done", "compacted", "usage"]);
  });

  test("is a turn when Codex goes to work in it", () => {
    const message = { type: "agentMessage", id: "m", text: "by myself" };
    const replay = play(
      ...begin,
      completed(root, "n1"),
      started(root, "n2"),
      item("completed", message, root, "n2"),
      completed(root, "n2"),
    );
    expect(replay.drafts).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ type: "turn_started", data: { turn_id: "n2" } }),
        expect.objectContaining({ type: "done", data: { turn_id: "n2" } }),
      ]),
    );
    expect(checkGrammar(replay.log)).toEqual([]);
  });
});

describe("requests", () => {
  const ask = {
    method: "item/commandExecution/requestApproval",
    id: 0,
    correlation_id: "ask-1",
    params: { threadId: root, turnId: "n1", itemId: "call", command: "ls" },
  };
  const resolved = { method: "serverRequest/resolved", params: { threadId: root, requestId: 0 } };

  test("that Codex takes back are cancelled here", () => {
    const replay = play(...begin, item("started", command), ask);
    expect(replay.take(resolved)).toMatchObject([
      { type: "permission_resolved", data: { correlation_id: "ask-1", outcome: "cancelled" } },
    ]);
  });

  test("that a person has answered are not settled twice", () => {
    const answer = { method: "turnwire/answer_sent", params: { correlation_id: "ask-1" } };
    const replay = play(...begin, item("started", command), ask, answer);
    expect(replay.take(resolved)).toEqual([]);
  });
});

describe("when the app-server was restarted", () => {
  test("the turn ends as lost and nothing stays open", () => {
    const replay = play(...begin, delta("m", "half"), item("started", command));
    const events = replay.take({ method: "turnwire/restarted", params: { message: "killed" } });
    expect(typesOf(events)).toEqual(["message_complete", "tool_result", "error", "result", "done"]);
    expect(checkGrammar(replay.log)).toEqual([]);
  });
});

describe("a command", () => {
  test.each([
    ["/bin/bash -lc 'echo hi'", "echo hi"],
    ["/bin/bash -lc ls", "ls"],
    [`/bin/zsh -lc "echo \\"hi\\""`, 'echo "hi"'],
    ["/bin/bash -lc 'it'\\''s'", "it's"],
    ["cat a.txt", "cat a.txt"],
    ["/bin/bash -lc 'a' 'b'", "/bin/bash -lc 'a' 'b'"],
  ])("%s is shown without its shell", (wrapped, plain) => {
    expect(unwrapped(wrapped)).toBe(plain);
  });

  test("whose deltas lack its first words has them in its result", () => {
    const output = { threadId: root, turnId: "n1", itemId: "call", delta: "second\n" };
    const end = {
      ...command,
      status: "completed",
      aggregatedOutput: "first\nsecond\n",
      exitCode: 0,
    };
    const { drafts } = play(
      ...begin,
      item("started", command),
      { method: "item/commandExecution/outputDelta", params: output },
      item("completed", end),
    );
    expect(drafts.at(-1)).toMatchObject({ data: { output: "first\nsecond\n", exit_code: 0 } });
  });
});

describe("an error", () => {
  function failed(message: string): object {
    const error = { message, codexErrorInfo: "other" };
    return { method: "error", params: { threadId: root, turnId: "n1", error, willRetry: false } };
  }

  test.each([
    {
      message: '{"error":{"type":"invalid_request_error","message":"Too long."}}',
      words: "Too long.",
    },
    { message: "Quota exceeded.", words: "Quota exceeded." },
    { message: '{"of":"unknown shape"}', words: '{"of":"unknown shape"}' },
    { message: "null", words: "null" },
  ])("that Codex gives as $message says $words", ({ message, words }) => {
    const { drafts } = play(...begin, failed(message));
    expect(drafts.at(-1)).toMatchObject({ type: "error", data: { message: words } });
  });
});

test("the mode that turns run in is reported", () => {
  const { drafts } = play({ method: "turnwire/permission_mode", params: { mode: "plan" } });
  expect(drafts).toEqual([{ type: "session_updated", data: { permission_mode: "plan" } }]);
});
