/** agents-ui beside a CLI that dialled in, which knows nothing of our sessions either. */
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { detach } from "@turnwire/base";
import { createMemoryStore } from "@turnwire/log";
import { claudeCli } from "@turnwire/runtime-claude";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import {
  ScriptedCli,
  type ScriptedLink,
} from "../packages/runtime-claude/src/cli/test-support/scripted-cli.ts";
import { prompt, startRelay } from "../packages/wire-relay/src/test-support/relay-client.ts";
import { AgentsUiFrontEnd } from "./support/agents-ui-front-end.ts";

const root = realpathSync(tmpdir());

function start(store = createMemoryStore(), port = 0) {
  return startRelay({
    auth: { type: "off" },
    hostOptions: {
      store,
      runtimes: [claudeCli({})],
      defaultRuntime: "claude-cli",
      roots: [root],
    },
    relay: { port },
  });
}

/** Connects a scripted CLI to the relay's `/`. */
async function dial(cli: ScriptedCli, relayUrl: string) {
  const websocket = new WebSocket(`${relayUrl}/`);
  onTestFinished(() => websocket.terminate());
  const link = cli.dial();
  websocket.on("message", (data: Buffer) => {
    for (const line of data.toString().split("\n")) if (line !== "") detach(link.write(line), fail);
  });
  await once(websocket, "open");
  detach(passOn(link, websocket), fail);
  return { websocket, link };
}

async function passOn(link: ScriptedLink, websocket: WebSocket): Promise<void> {
  for await (const line of link.lines) websocket.send(`${line}\n`);
}

function fail(error: unknown): void {
  throw error;
}

test("agents-ui follows a CLI that dialled in, decides for it, and finds it after a restart of the relay", async () => {
  const store = createMemoryStore();
  const before = await start(store);
  const frontEnd = await AgentsUiFrontEnd.open(before.relayUrl);
  const cli = new ScriptedCli(root);
  const first = await dial(cli, before.relayUrl);
  // agents-ui sends no prompts: the first one comes from another front end.
  const other = await before.frontEnd();
  await first.link.writtenWhere(({ type }) => type === "control_request");
  other.send(prompt("make the file"));
  await first.link.writtenWhere(({ type }) => type === "user");
  cli.init();
  cli.text("I will make it.");
  cli.ask("toolu_1", "request-1");
  const tab = () => frontEnd.tab(cli.sessionId);
  const card = await frontEnd.until(() => tab()?.approvals[0]);
  expect(card).toEqual({ requestId: "request-1", toolName: "Bash", command: "touch a" });
  expect(tab()?.messages).toEqual(["I will make it."]);
  frontEnd.answer(card, true);
  const answer = await first.link.writtenWhere(({ type }) => type === "control_response");
  // The flat form, which agents-ui sends, would end a real CLI.
  expect(answer).toEqual({
    type: "control_response",
    response: {
      subtype: "success",
      request_id: "request-1",
      response: expect.objectContaining({
        behavior: "allow",
        updatedInput: { command: "touch a" },
      }),
    },
  });

  const { port } = new URL(before.relayUrl);
  await before.server.close();
  await frontEnd.until(() => (tab()?.status === "disconnected" ? true : undefined));
  const after = await start(store, Number(port));
  await frontEnd.connect();
  await dial(cli, after.relayUrl);
  cli.text("It is made.");
  cli.result();
  const done = await frontEnd.until(() => {
    const newest = tab();
    return newest?.status === "connected" && newest.completedTurns > 0 ? newest : undefined;
  });
  expect(done.messages).toEqual(["I will make it.", "It is made."]);
});

test("agents-ui sees that a CLI has left, and gives its next session a tab of its own", async () => {
  const { relayUrl, frontEnd: open } = await start();
  const frontEnd = await AgentsUiFrontEnd.open(relayUrl);
  const other = await open();
  const clis = [new ScriptedCli(root), new ScriptedCli(root)];
  for (const [index, cli] of clis.entries()) {
    const { websocket, link } = await dial(cli, relayUrl);
    await link.writtenWhere(({ type }) => type === "control_request");
    other.send(prompt("hello"));
    await link.writtenWhere(({ type }) => type === "user");
    cli.init();
    cli.text(`answer ${index}`);
    cli.result();
    await frontEnd.until(() => frontEnd.tab(cli.sessionId)?.completedTurns || undefined);
    websocket.terminate();
    await frontEnd.until(() =>
      frontEnd.tab(cli.sessionId)?.status === "disconnected" ? true : undefined,
    );
  }
  expect(frontEnd.tabs.map(({ messages }) => messages)).toEqual([["answer 0"], ["answer 1"]]);
});
