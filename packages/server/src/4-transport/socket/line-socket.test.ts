import { describe, expect, test } from "vitest";
import { startServer, type RunningServer } from "../test-support/running-server.ts";
import { openSocket, type SocketClient } from "../test-support/socket-client.ts";

async function openLines(
  { url }: Pick<RunningServer, "url">,
  id: string,
  query = "",
): Promise<SocketClient> {
  return openSocket(`${url}/sessions/${id}/ws?dialect=stream-json${query}`);
}

function user(content: string): string {
  return JSON.stringify({ type: "user", message: { role: "user", content }, session_id: "" });
}

async function lineOf(client: SocketClient, type: string): Promise<Record<string, unknown>> {
  const find = () => client.messages.find((line) => line["type"] === type);
  await client.until(() => find() !== undefined);
  return find() ?? {};
}

describe("a session in lines over WebSocket", () => {
  test("works a turn with a permission, answered in the CLI's own form", async () => {
    const running = await startServer();
    const client = await openLines(running, await running.createSession());
    const raw: string[] = [];
    client.websocket.on("message", (data: Buffer) => raw.push(data.toString()));
    client.websocket.send(`${user("/permission")}\n`);
    const { request_id } = await lineOf(client, "control_request");
    const response = { subtype: "success", request_id, response: { behavior: "allow" } };
    client.send({ type: "control_response", response });
    await lineOf(client, "result");
    expect(raw.every((line) => line.endsWith("\n") && !line.slice(0, -1).includes("\n"))).toBe(
      true,
    );
    client.send({ type: "control_response", request_id, permission: { allow: true } });
    expect(await lineOf(client, "error")).toMatchObject({ error: { code: "already_resolved" } });
  });

  test("answers control requests, initialize with what is open", async () => {
    const running = await startServer();
    const id = await running.createSession();
    const client = await openLines(running, id);
    client.websocket.send(user("/permission"));
    const asked = await lineOf(client, "control_request");
    const late = await openLines(running, id);
    expect(await lineOf(late, "control_request")).toEqual(asked);
    const requests = [
      { subtype: "initialize" },
      { subtype: "set_permission_mode", mode: "plan" },
      { subtype: "set_model", model: "demo-large" },
      { subtype: "interrupt" },
      { subtype: "nope" },
      { subtype: "set_permission_mode", mode: 7 },
    ];
    for (const [index, request] of requests.entries()) {
      late.send({ type: "control_request", request_id: `r${index}`, request });
    }
    const answers = () => late.messages.filter(({ type }) => type === "control_response");
    await late.until(() => answers().length === requests.length);
    expect(answers().map(({ response }) => response)).toMatchObject([
      {
        subtype: "success",
        request_id: "r0",
        response: { pending_permission_requests: [asked], models: expect.any(Array) },
      },
      { subtype: "success", request_id: "r1" },
      { subtype: "success", request_id: "r2" },
      { subtype: "success", request_id: "r3" },
      {
        subtype: "error",
        request_id: "r4",
        error: "Unsupported control request subtype: nope",
      },
      { subtype: "error", request_id: "r5" },
    ]);
    await lineOf(client, "result");
  });

  test("takes lines however they are cut, and garbage without harm", async () => {
    const running = await startServer();
    const client = await openLines(running, await running.createSession());
    const text = `nonsense\n\n{"type":"keep_alive"}\n${user("one")}\n${user("two")}\n`;
    for (let from = 0; from < text.length; from += 7) {
      client.websocket.send(text.slice(from, from + 7));
    }
    const results = () => client.messages.filter(({ type }) => type === "result").length;
    await client.until(() => results() === 2);
    expect(client.messages.filter(({ type }) => type === "error")).toHaveLength(1);
    client.websocket.send("{".repeat(2 * 1024 * 1024));
    const tooLong = () =>
      client.messages.some(
        ({ error }) => (error as { code?: string } | undefined)?.code === "payload_too_large",
      );
    await client.until(tooLong);
    client.websocket.send(user("three"));
    await client.until(() => results() === 3);
    expect(running.errors).toEqual([]);
  });

  test("begins with the conversation so far, or after a position", async () => {
    const running = await startServer();
    const id = await running.createSession();
    const first = await openLines(running, id);
    first.websocket.send(user("/tools"));
    await lineOf(first, "result");
    const second = await openLines(running, id);
    await lineOf(second, "result");
    const finished = (client: SocketClient) =>
      client.messages.filter(({ type }) => type === "assistant" || type === "user");
    expect(finished(second)).toEqual(finished(first));
    const replayed = await openLines(running, id, "&after=0");
    await lineOf(replayed, "result");
    expect(replayed.messages).toEqual(first.messages.slice(0, replayed.messages.length));
  });
});
