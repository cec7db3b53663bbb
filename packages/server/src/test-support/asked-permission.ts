import { draft } from "@turnwire/protocol";
import type { OpenSession } from "../../../wire/src/open-session.ts";
import { eventOf } from "./log-reader.ts";
import type { ScriptedRuntime } from "./scripted-runtime.ts";
import { admin } from "./test-host.ts";

/** Has the agent of a session ask for a permission, by the id `ask-1`. */
export async function askPermission(session: OpenSession, runtime: ScriptedRuntime): Promise<void> {
  const sent = await session.execute({ type: "user_message", content: "go" }, admin);
  if (!sent.ok) throw new Error(sent.error.message);
  const { run } = await runtime.sent(sent.value.messageId);
  const tool = { tool_name: "Bash", tool_input: { command: "ls" } };
  run.say(draft("permission_request", { correlation_id: "ask-1", ...tool }));
  await eventOf(session.log, "permission_request");
}
