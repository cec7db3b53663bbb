import { describe, expect, test } from "vitest";
import type { CliLink, AdoptedCli } from "@turnwire/runtime";
import { openRelay, ofType, prompt, startRelay } from "./test-support/relay-client.ts";

/** A CLI as a test adopts it: it reads what it wants, and names its session when it wants. */
class TestCli implements AdoptedCli {
  readonly link: CliLink;
  readonly lines: AsyncIterator<string>;
  readonly sent: string[] = [];
  readonly ended: Promise<void>;
  sessionId: string | undefined;
  readonly #listeners = new Set<(sessionId: string) => void>();
  #end: () => void = () => undefined;

  constructor(link: CliLink) {
    this.link = link;
    this.lines = link.lines[Symbol.asyncIterator]();
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async next(): Promise<string | undefined> {
    const { done, value } = await this.lines.next();
    if (done) this.#end();
    return done ? undefined : value;
  }

  onSession(listener: (sessionId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async send(line: string): Promise<boolean> {
    this.sent.push(line);
    return true;
  }

  name(sessionId: string): void {
    this.sessionId = sessionId;
    for (const listener of this.#listeners) listener(sessionId);
  }
}

async function startWithClis() {
  const running = await startRelay();
  const adopted: TestCli[] = [];
  let onAdopted: () => void = () => undefined;
  const adoptCli = (link: CliLink): AdoptedCli => {
    const cli = new TestCli(link);
    adopted.push(cli);
    onAdopted();
    return cli;
  };
  Object.assign(running.host, { adoptCli });
  return {
    ...running,
    dial: async () => {
      const hasAdopted = new Promise<void>((resolve) => (onAdopted = resolve));
      const socket = await running.cli();
      await hasAdopted;
      const cli = adopted.at(-1);
      if (!cli) throw new Error("no CLI was adopted");
      return { socket, cli };
    },
  };
}

const status = (text: string) => ofType("status", { text: `claude code ${text}` });

describe("a CLI that dials in", () => {
  test("is read in lines, however its frames cut them", async () => {
    const { dial } = await startWithClis();
    const { socket, cli } = await dial();
    socket.websocket.send('{"type":"system"}\n{"a":');
    socket.websocket.send(Buffer.from("1}\n\n"));
    socket.websocket.send('{"type":"result"}');
    socket.websocket.send("no JSON\n");
    const lines = [await cli.next(), await cli.next(), await cli.next(), await cli.next()];
    expect(lines).toEqual(['{"type":"system"}', '{"a":1}', '{"type":"result"}', "no JSON"]);
    socket.websocket.close();
    expect(await cli.next()).toBeUndefined();
  });

  test("gets lines with their ends, and is closed with the code that it understands", async () => {
    const { dial } = await startWithClis();
    const { socket, cli } = await dial();
    await cli.link.write('{"type":"keep_alive"}');
    await socket.line(ofType("keep_alive"));
    expect(socket.frames).toEqual(['{"type":"keep_alive"}\n']);
    await cli.link.close(4001);
    expect(await socket.closed).toMatchObject({ code: 4001 });
    await cli.link.close();
    await expect(cli.link.write("{}")).rejects.toThrow(/not open/i);
    expect(cli.link.description).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test("sends lines of 16 MiB; a longer one is dropped and front ends learn of it", async () => {
    const { dial, frontEnd } = await startWithClis();
    const { socket, cli } = await dial();
    const watching = await frontEnd();
    await watching.line(status("is connected"));
    const size = 16 * 1024 * 1024;
    const large = `{${"x".repeat(size - 1)}`;
    socket.websocket.send(`${large}\n`);
    expect((await cli.next())?.length).toBe(size);
    socket.websocket.send(`${large} \n`);
    socket.websocket.send(large);
    socket.websocket.send(`${large}\n{"type":"result"}\n`);
    expect(await cli.next()).toBe('{"type":"result"}');
    const errors = () => watching.lines.filter(ofType("error"));
    await watching.until(() => errors().length === 2);
    const tooLarge = { error: { code: "payload_too_large" } };
    expect(errors()).toMatchObject([tooLarge, tooLarge]);
  });

  test("waits while its lines are not read", async () => {
    const { dial } = await startWithClis();
    const { socket, cli } = await dial();
    const line = `${JSON.stringify({ text: "x".repeat(1024 * 1024) })}\n`;
    let sent = 0;
    for (; sent < 200; sent += 1) {
      socket.websocket.send(line);
      await new Promise((resolve) => setImmediate(resolve));
      if (socket.websocket.bufferedAmount > 32 * 1024 * 1024) break;
    }
    expect(sent).toBeLessThan(200);
    for (let read = 0; read <= sent; read += 1)
      expect((await cli.next())?.length).toBeGreaterThan(9);
  });
});

describe("front ends", () => {
  test("learn that a CLI comes, is there, and that the last one has gone", async () => {
    const { dial, frontEnd } = await startWithClis();
    const early = await frontEnd();
    const first = await dial();
    await early.line(status("connected"));
    const late = await frontEnd();
    expect(await late.line(() => true)).toEqual({
      type: "status",
      text: "claude code is connected",
    });
    const second = await dial();
    await late.line(status("connected"));
    first.socket.websocket.close();
    expect(await first.cli.next()).toBeUndefined();
    second.socket.websocket.close();
    expect(await second.cli.next()).toBeUndefined();
    await Promise.all([early.line(status("disconnected")), late.line(status("disconnected"))]);
    expect(early.frames).toEqual([
      '{"type":"status","text":"claude code connected"}\n',
      '{"type":"status","text":"claude code connected"}\n',
      '{"type":"status","text":"claude code disconnected"}\n',
    ]);
    expect((await frontEnd()).frames).toEqual([]);
  });

  test("give a CLI without a session everything that it understands", async () => {
    const { dial, frontEnd } = await startWithClis();
    const { cli } = await dial();
    const client = await frontEnd();
    const interrupt = {
      type: "control_request",
      request_id: "r",
      request: { subtype: "interrupt" },
    };
    client.send(interrupt);
    client.send({ type: "user", message: { role: "user", content: [{ type: "odd" }] } });
    expect(await client.line(ofType("error"))).toMatchObject({
      error: { code: "invalid_request" },
    });
    client.send(prompt("begin"));
    client.send({ type: "keep_alive" });
    client.websocket.send("garbage\n");
    await client.until(() => client.lines.filter(ofType("error")).length === 2);
    expect(cli.sent).toEqual([interrupt, prompt("begin")].map((line) => JSON.stringify(line)));
  });

  test("follow the session that a CLI names, and prompts without a name are for it", async () => {
    const { dial, frontEnd, createSession, relayUrl } = await startWithClis();
    await createSession();
    const ours = await createSession();
    const { cli } = await dial();
    const client = await frontEnd();
    const only = await openRelay(`${relayUrl}/ws?session=${ours}`);
    cli.name(ours);
    client.send(prompt("hello"));
    const result = await client.line(ofType("result", { session_id: ours }));
    expect(await only.line(ofType("result"))).toEqual(result);
  });
});
