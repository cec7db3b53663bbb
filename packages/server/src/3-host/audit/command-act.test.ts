import { draft } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { controlAfter, everyCapability } from "../../2-session/test-support/control.ts";
import { commandAct } from "./command-act.ts";

const ready = draft("session_ready", {
  session_id: "s",
  protocol_version: "1.0",
  runtime: "scripted",
  capabilities: everyCapability,
});

const asked = draft("permission_request", {
  correlation_id: "p1",
  tool_name: "Bash",
  tool_input: { command: "deploy --token secret" },
  policy: { rule: "git_remote", reason: "it pushes", mode: "implementation", policy_version: "1" },
});

const ann = { id: "ann", isAdmin: false, address: "203.0.113.7" };

test("an approval names the tool and the policy's rule that it decided instead of, and no input", () => {
  const control = controlAfter(ready, asked);
  const answer = { type: "permission_response", correlation_id: "p1", behavior: "allow" } as const;
  expect(commandAct(control, answer, ann)).toEqual({
    action: "permission_response",
    principal: "ann",
    address: "203.0.113.7",
    details: {
      correlation_id: "p1",
      behavior: "allow",
      tool: "Bash",
      policy_mode: "implementation",
      policy_rule: "git_remote",
    },
  });
});

test("a message is not recorded", () => {
  const message = { type: "user_message", content: "private" } as const;
  expect(commandAct(controlAfter(ready), message, ann)).toBeUndefined();
});
