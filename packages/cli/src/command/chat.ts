import { ScriptChat } from "../chat/script-chat.ts";
import { TerminalChat } from "../chat/terminal-chat.ts";
import { defineCommand, type Invocation } from "../program/command.ts";
import type { Context } from "../program/context.ts";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { startOwnServer } from "../server/own-server.ts";
import { clientFor, type Connection, findServer } from "../connection/server-address.ts";
import { newSessionFrom } from "../session/session-options.ts";
import { createSession, findSession } from "../session/session-selection.ts";
import { formatFor } from "../terminal/format.ts";
import { wrap } from "../terminal/wrap.ts";

type ChatInvocation = Invocation<"chat">;

function sayOwn({ stdout, env }: Context): void {
  const { colors, width } = formatFor(stdout, env);
  const words = "No server runs, so this chat brings its own until you leave. Sessions stay.";
  for (const line of wrap(colors.dim(words), width)) stdout.write(`${line}\n`);
}

async function runChat(
  invocation: ChatInvocation,
  connection: Connection,
  { isServerOwn }: { isServerOwn: boolean },
): Promise<number> {
  const client = clientFor(connection);
  const [given] = invocation.positionals;
  const newSession = newSessionFrom(invocation.values, invocation);
  const { session_id: sessionId } =
    given === undefined
      ? await createSession(client, newSession)
      : await findSession(client, given);
  const chatOptions = { ...invocation, client, sessionId, newSession, isServerOwn };
  const { stdin, stdout, env } = invocation;
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true && env["TERM"] !== "dumb";
  const chat = isTerminal ? new TerminalChat(chatOptions) : new ScriptChat(chatOptions);
  return chat.run();
}

export const chat = defineCommand({
  name: "chat",
  summary: "Talk to an agent in this terminal",
  usage: [
    "chat [ID] [--runtime NAME] [--cwd DIR] [--model MODEL] [--permission-mode MODE] [--title TITLE]",
  ],
  details:
    "Without ID a new session begins. Where no server runs, the chat starts one of its own on the same data, for as long as it lasts.\nWithout a terminal it reads lines from standard input, each one when the turn before has ended; a line answers the agent's request, if there is one. At the end of the input it ends with 0 when the last turn went well, 3 when it failed, 4 when the agent waits for a person.",
  maxPositionals: 1,
  examples: [
    { command: "turnwire chat", meaning: "A new session; type /help inside" },
    { command: "turnwire chat 3f2a91c0", meaning: "Continue an earlier session" },
    {
      command: "printf '/permission\\ny\\n' | turnwire chat",
      meaning: "From a script: send a message, then allow the request",
    },
  ],
  async run(invocation) {
    const { values, env } = invocation;
    const dataDirectory = dataDirectoryFrom(values.data, invocation);
    const found = await findServer({ url: values.url, dataDirectory, env });
    if (found) return runChat(invocation, found, { isServerOwn: false });
    const server = await startOwnServer(values, invocation);
    sayOwn(invocation);
    try {
      return await runChat(invocation, server, { isServerOwn: true });
    } finally {
      await server.close();
    }
  },
});
