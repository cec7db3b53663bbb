/** loop on our relay: it starts a CLI with a placeholder prompt for each turn, and sends the prompt itself. */
import { claudeCli } from "@turnwire/runtime-claude";
import { expect, test } from "vitest";
import {
  ofType,
  openRelay,
  prompt,
  type RelayClient,
  startRelay,
} from "../packages/wire-relay/src/test-support/relay-client.ts";
import { AgentsUiFrontEnd } from "./support/agents-ui-front-end.ts";

/** A CLI as loop starts it: it says nothing but that it is initialized, until it gets its prompt. */
async function startCli(relayUrl: string): Promise<RelayClient> {
  const cli = await openRelay(`${relayUrl}/`);
  const { request_id } = await cli.line(ofType("control_request"));
  say(cli, { type: "control_response", response: { request_id, subtype: "success" } });
  return cli;
}

function say(cli: RelayClient, line: object): void {
  cli.websocket.send(`${JSON.stringify(line)}\n`);
}

function work(cli: RelayClient, session_id: string, text: string): void {
  const delta = { type: "text_delta", text };
  say(cli, { type: "system", subtype: "init", session_id, model: "claude-sonnet-4-6" });
  say(cli, { type: "stream_event", event: { type: "content_block_delta", index: 0, delta } });
  say(cli, { type: "assistant", message: { content: [{ type: "text", text }] } });
  say(cli, {
    type: "control_request",
    request_id: `ask-${session_id}`,
    request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "npm test" } },
  });
}

test("each turn of loop has a CLI and a session of its own, which agents-ui shows in a tab of its own", async () => {
  const running = await startRelay({
    auth: { type: "off" },
    hostOptions: { runtimes: [claudeCli()], defaultRuntime: "claude-cli" },
  });
  const { relayUrl } = running;
  const observer = await AgentsUiFrontEnd.open(relayUrl);
  const loop = await openRelay(`${relayUrl}/ws`);
  const ids = ["sess_turn_one", "sess_turn_two", "sess_turn_three"];
  for (const [index, id] of ids.entries()) {
    const cli = await startCli(relayUrl);
    const isOver = () => loop.lines.filter(ofType("status", { text: "claude code disconnected" }));
    const over = isOver().length;
    loop.send(prompt(`turn ${index}`));
    expect(await cli.line(ofType("user"))).toMatchObject({
      message: { role: "user", content: `turn ${index}` },
    });
    work(cli, id, `answer ${index}`);
    const request_id = `ask-${id}`;
    await loop.line(ofType("control_request", { request_id }));
    const response = { behavior: "allow", updatedInput: { command: "npm test" } };
    loop.send({
      type: "control_response",
      response: { request_id, subtype: "success", response },
    });
    expect(await cli.line(ofType("control_response"))).toMatchObject({
      response: { request_id, subtype: "success", response },
    });
    say(cli, { type: "result", is_error: false, result: `answer ${index}`, session_id: id });
    cli.websocket.close();
    await loop.until(() => isOver().length === over + 1);
    await observer.until(() => observer.tab(id)?.status === "disconnected" || undefined);
    expect(observer.tab(id)).toMatchObject({ streamed: `answer ${index}`, completedTurns: 1 });
  }
  expect(observer.tabs.map(({ sessionId }) => sessionId)).toEqual(ids);
  const results = loop.lines.filter(ofType("result")).map(({ session_id }) => session_id);
  expect(results).toEqual(ids);
  expect(loop.lines.filter(ofType("error"))).toEqual([]);
});
