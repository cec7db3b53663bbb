import { draft } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { eventWhere } from "../../server/src/test-support/log-reader.ts";
import { admin, createTestSession, openTestHost } from "../../server/src/test-support/test-host.ts";
import { AutoApproval } from "./auto-approval.ts";

test("allows uses of tools only, and none about which a policy asks a person", async () => {
  const { host, runtime, errors } = openTestHost();
  const session = await createTestSession(host);
  await session.execute({ type: "user_message", content: "go" }, admin);
  const run = await runtime.run();
  await run.wasAsked("send");
  new AutoApproval(host, (error) => void errors.push(error)).watch({
    sessionId: session.id,
    onSession: (listener) => {
      listener(session.id);
      return () => undefined;
    },
    send: async () => false,
    ended: new Promise(() => undefined),
  });
  const tool = { tool_name: "Bash", tool_input: { command: "ls" } };
  const policy = { rule: "install", reason: "It installs.", mode: "planner", policy_version: "1" };
  run.say(
    draft("question_request", {
      correlation_id: "question",
      questions: [{ question: "Which?", options: [{ label: "A" }] }],
    }),
    draft("hook_request", { correlation_id: "hook", hook_event: "PreToolUse", hook_input: {} }),
    draft("permission_request", { correlation_id: "by policy", ...tool, policy }),
    draft("permission_request", { correlation_id: "tool", ...tool }),
  );
  const resolved = await eventWhere(session.log, ({ type }) => type === "permission_resolved");
  expect(resolved).toMatchObject({
    data: { correlation_id: "tool", allowed: true, by: "auto-approve" },
  });
  // Commands of a session are decided in order, so what was asked before would have ended before.
  expect(Object.keys(session.control.requests)).toEqual(["question", "hook", "by policy"]);
  expect(errors).toEqual([]);
});
