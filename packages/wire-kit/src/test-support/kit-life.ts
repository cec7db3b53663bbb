import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Runtime } from "@turnwire/runtime";
import { type KitMessage, openKit } from "./kit-client.ts";
import { startServer } from "../../../server/src/4-transport/test-support/running-server.ts";

export interface KitLife {
  /** What the agent answers to a message. */
  readonly chat: string;
  /** Whether the tool had run when it was asked about, and when its turn was over. */
  readonly hasRun: { readonly asked: boolean; readonly allowed: boolean };
  /** The results that each connection has in the end. */
  readonly results: { readonly first: string[]; readonly second: string[] };
  readonly errors: readonly object[];
  /** Whether both connections learned of a model that fails, and that its turn is over. */
  readonly failure: readonly boolean[];
  /** The session at a server that has only its id: its messages, then one more turn. */
  readonly elsewhere: {
    readonly prompts: readonly string[];
    readonly cwd: unknown;
    readonly ids: readonly unknown[];
    readonly isAgents: boolean;
  };
}

const result = { message: { type: "result" } };

/** A real agent over the kit's wire: one connection chats, a second resumes by id, answers and interrupts. */
export async function playKitLife(runtime: Runtime, cwd: string): Promise<KitLife> {
  const { url } = await startServer({
    hostOptions: { runtimes: [runtime], defaultRuntime: runtime.name, roots: [cwd] },
  });
  const made = join(cwd, "kit.txt");
  const first = await openKit(url);
  const idle = () => first.until(() => first.state()["isBusy"] === false);
  first.say("setSDKOptions", { options: { cwd, includePartialMessages: true } });
  first.say("chat", { content: "SCENARIO:text hello over the kit" });
  const { sessionId } = await first.frame("message_added", result);
  await idle();
  const chat = textOf(first.transcript().filter(({ type }) => type === "assistant"));

  const second = await openKit(url);
  second.say("resume", { sessionId });
  await second.frame("session_state_changed", { sessionId, sessionState: { isLoading: false } });
  const beforeTool = first.messages.length;
  first.say("chat", { content: "SCENARIO:tool touch kit.txt" });
  const { request } = await second.frame("permission_requested");
  const asked = existsSync(made);
  const { requestId } = request as { requestId: string };
  second.say("permissionResponse", { requestId, behavior: "allow" });
  await first.frame("permission_resolved", { requestId, allowed: true, outcome: "answered" });
  await first.frame("message_added", result, beforeTool);
  await idle();
  const allowed = existsSync(made);

  const beforeHold = first.messages.length;
  first.say("chat", { content: "SCENARIO:hold kit-never" });
  await first.frame("message_added", { message: { type: "stream_event" } }, beforeHold);
  second.say("interrupt");
  await first.frame("message_added", result, beforeHold);
  await idle();
  await second.until(() => resultsOf(second).length === 3);
  const errors = errorsOf(first, second);
  first.say("chat", { content: "SCENARIO:error 400" });
  await Promise.all(
    [first, second].map((client) => client.until(() => resultsOf(client).length === 4)),
  );
  await idle();
  const failure = [first, second].map((client) => errorsOf(client).length > 0);
  const results = { first: resultsOf(first).slice(0, 3), second: resultsOf(second).slice(0, 3) };
  const elsewhere = await resumeElsewhere(runtime, cwd, sessionId);
  return {
    elsewhere,
    chat,
    hasRun: { asked, allowed },
    results,
    errors,
    failure,
  };
}

function errorsOf(...clients: Awaited<ReturnType<typeof openKit>>[]): object[] {
  return clients.flatMap(({ messages }) => messages.filter(({ type }) => type === "error"));
}

/** The agent's own record is all that this server has. */
async function resumeElsewhere(
  runtime: Runtime,
  cwd: string,
  sessionId: unknown,
): Promise<KitLife["elsewhere"]> {
  const { url, request } = await startServer({
    hostOptions: { runtimes: [runtime], defaultRuntime: runtime.name, roots: [cwd] },
  });
  const client = await openKit(url);
  client.say("listSessions");
  const { sessions } = await client.frame("sessions_listed");
  client.say("resume", { sessionId });
  await client.frame("session_state_changed", { sessionId, sessionState: { isLoading: false } });
  const { options } = client.state() as { options: { cwd?: unknown } };
  client.say("chat", { content: "SCENARIO:text still here", sessionId });
  const before = resultsOf(client).length;
  await client.until(() => resultsOf(client).length > before);
  const [own] = (await (await request("/sessions")).json()).sessions;
  return {
    prompts: client
      .transcript()
      .filter(({ type, message }) => type === "user" && message?.content[0]?.type === "text")
      .map(({ message }) => message?.content.at(-1)?.text ?? ""),
    cwd: options.cwd,
    ids: [...new Set(client.messages.slice(3).map((frame) => frame["sessionId"]))],
    isAgents:
      own.provider_session_id === sessionId &&
      (sessions as { sessionId: unknown }[]).some((one) => one.sessionId === sessionId),
  };
}

function resultsOf(client: Awaited<ReturnType<typeof openKit>>): string[] {
  const results = client.transcript().filter(({ type }) => type === "result");
  return results.map(({ subtype }) => subtype ?? "");
}

function textOf(messages: readonly KitMessage[]): string {
  const content = messages.flatMap(({ message }) => message?.content ?? []);
  return content.map(({ text = "" }) => text).join("");
}
