import { codexHome, startOpenaiStandin } from "@turnwire/conformance/openai-standin";
import { describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../base/src/test-support/manual-clock.ts";
import { type AgentProcess, spawnAgentProcess, childEnvironment } from "@turnwire/runtime/process";
import { spawnScript, temporaryDirectory } from "../../../runtime/src/test-support/child.ts";
import { codexBinary } from "../setting/binary.ts";
import { RpcError } from "./rpc-error.ts";
import { RpcClient, type RpcNotification, type RpcOptions, type RpcRequest } from "./rpc.ts";

/** A server in a few lines: `on(message)` gets what the client writes, `say` writes a line. */
function server(on: string): string {
  return `
    const say = (line) => process.stdout.write((typeof line === "string" ? line : JSON.stringify(line)) + "\\n");
    const open = [];
    const on = ${on};
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => on(JSON.parse(line)));
  `;
}

interface Heard {
  readonly rpc: RpcClient;
  readonly notifications: RpcNotification[];
  readonly requests: RpcRequest[];
  readonly process: AgentProcess;
}

async function connect(on: string, options: Partial<RpcOptions> = {}): Promise<Heard> {
  return listen(await spawnScript(server(on)), options);
}

function listen(process: AgentProcess, options: Partial<RpcOptions> = {}): Heard {
  const notifications: RpcNotification[] = [];
  const requests: RpcRequest[] = [];
  const rpc = new RpcClient(process, {
    onNotification: (notification) => void notifications.push(notification),
    onRequest: (request) => void requests.push(request),
    ...options,
  });
  return { rpc, notifications, requests, process };
}

describe("a call", () => {
  test("gets its own answer, in whatever order answers come", async () => {
    const { rpc } = await connect(
      "(m) => { open.push(m); if (open.length === 2) for (const { id, params } of open.reverse()) say({ id, result: params }); }",
    );
    expect(await Promise.all([rpc.call("a", 1), rpc.call("b", 2)])).toEqual([1, 2]);
  });

  test("is not answered by a request of the server that has the same id", async () => {
    const { rpc, requests } = await connect(
      "(m) => { if (m.method) { say({ id: m.id, method: 'ask', params: {} }); open.push(m); } else say({ id: open[0].id, result: m.result }); }",
      {
        onRequest: (request) => {
          requests.push(request);
          void rpc.respond(request.id, "answered");
        },
      },
    );
    expect(await rpc.call("a")).toBe("answered");
    expect(requests).toMatchObject([{ id: 1, method: "ask" }]);
  });

  test("rejects with the server's refusal, which has a code", async () => {
    const { rpc } = await connect(
      "(m) => say({ id: m.id, error: { code: -32600, message: 'no' } })",
    );
    const refused = rpc.call("a");
    await expect(refused).rejects.toBeInstanceOf(RpcError);
    await expect(refused).rejects.toMatchObject({ code: -32600, message: "no" });
  });

  test("without an answer is given up in time, and its late answer does no harm", async () => {
    const clock = new ManualClock();
    let arrived: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { rpc } = await connect(
      "(m) => { if (m.method === 'slow') { open.push(m); say({ method: 'seen' }); } else if (m.method === 'quick') { say({ id: open[0].id, result: 'late' }); say({ id: m.id, result: 'ok' }); } else say({ id: m.id, error: { code: -32600, message: 'no' } }); }",
      { clock, onNotification: () => arrived() },
    );
    const slow = Promise.allSettled([rpc.call("slow", {}, { timeoutMs: 500 })]);
    await arrival;
    await clock.advance(500);
    expect(await slow).toMatchObject([{ status: "rejected", reason: { code: "stalled" } }]);
    expect(await rpc.call("quick")).toBe("ok");
  });

  test("of a server that answers a probe neither ends with that server, and so does every other", async () => {
    const clock = new ManualClock();
    const { rpc, notifications } = await connect("(m) => say({ method: 'seen' })", { clock });
    const seen = async (count: number) => {
      await expect.poll(() => notifications.length).toBe(count);
    };
    const calls = Promise.allSettled([rpc.call("a"), rpc.call("b", {}, { timeoutMs: 60_000 })]);
    await seen(2);
    await clock.advance(30_000);
    await seen(3);
    await clock.advance(5000);
    const lost = { status: "rejected", reason: { code: "exited" } };
    expect(await calls).toMatchObject([lost, lost]);
    expect((await rpc.closed).message).toContain("did not answer any more");
    expect(clock.waiting).toBe(0);
  });

  test("leaves no deadline behind once it is answered", async () => {
    const deadlines: AbortSignal[] = [];
    const clock = {
      now: () => 0,
      wait: (_ms: number, signal?: AbortSignal): Promise<void> => {
        if (signal) deadlines.push(signal);
        return new Promise(() => undefined);
      },
    };
    const { rpc } = await connect("(m) => say({ id: m.id, result: null })", { clock });
    await rpc.call("a");
    expect(deadlines.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test("waits while as many as allowed are in flight", async () => {
    const { rpc, notifications } = await connect(
      "(m) => { open.push(m); say({ method: 'seen', params: m.method }); if (m.method === 'c') for (const { id } of open) say({ id, result: null }); if (open.length === 2) setImmediate(() => say({ id: open[0].id, result: null })); }",
      { limits: { maxInFlight: 2 } },
    );
    const calls = ["a", "b", "c"].map((method) => rpc.call(method));
    await calls[0];
    expect(notifications.map(({ params }) => params)).toEqual(["a", "b"]);
    await Promise.all(calls);
    expect(notifications.map(({ params }) => params)).toEqual(["a", "b", "c"]);
  });

  test("is tried again with growing pauses when the server is too busy", async () => {
    const waits: number[] = [];
    const clock = {
      now: () => 0,
      wait: (ms: number, signal?: AbortSignal): Promise<void> => {
        if (signal && ms >= 1000) return new Promise(() => undefined);
        waits.push(ms);
        return Promise.resolve();
      },
    };
    const { rpc } = await connect(
      "(m) => { open.push(m); say(open.length < 4 ? { id: m.id, error: { code: -32001, message: 'busy' } } : { id: m.id, result: open.length }); }",
      { clock, limits: { retryMs: 10, retries: 5 } },
    );
    expect(await rpc.call("a")).toBe(4);
    expect(waits).toEqual([10, 20, 40]);
  });

  test("gives up on a server that stays too busy", async () => {
    const { rpc } = await connect(
      "(m) => say({ id: m.id, error: { code: -32001, message: 'busy' } })",
      {
        limits: { retryMs: 0, retries: 2 },
      },
    );
    await expect(rpc.call("a")).rejects.toMatchObject({ code: -32001 });
  });
});

describe("when the process ends", () => {
  test("every call that waits is rejected, and so is every later one, without what the process wrote for other sessions", async () => {
    const { rpc } = await connect(
      "(m) => { open.push(m); if (open.length === 2) { process.stderr.write('out of luck\\n'); process.exitCode = 3; process.stdin.destroy(); } }",
    );
    const calls = [rpc.call("a"), rpc.call("b")];
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({
        status: "rejected",
        reason: { code: "exited", message: expect.stringContaining("code 3") },
      });
    }
    await expect(rpc.call("c")).rejects.toThrow("code 3");
    const { message } = await rpc.closed;
    expect(message).not.toContain("out of luck");
    expect(rpc.stderr).toContain("out of luck");
  });
});

describe("a call that waits to be tried again", () => {
  test("ends with the process, and not with the pause", async () => {
    const clock = new ManualClock();
    const { rpc } = await connect(
      "(m) => { say({ id: m.id, error: { code: -32001, message: 'busy' } }); setImmediate(() => process.exit(4)); }",
      { clock, limits: { retryMs: 60_000 } },
    );
    await expect(rpc.call("a")).rejects.toMatchObject({ code: "exited" });
  });
});

describe("what the server says by itself", () => {
  test("is a request when it has an id, which may be 0, and else a notification", async () => {
    const { rpc, notifications, requests } = await connect(
      "(m) => { say({ method: 'ask', id: 0 }); say({ method: 'tell' }); say({ method: 'tell', id: null }); say({ id: m.id, result: null }); }",
    );
    await rpc.call("a");
    expect(requests).toMatchObject([{ method: "ask", id: 0 }]);
    expect(notifications.map(({ method }) => method)).toEqual(["tell", "tell"]);
  });
});

describe("lines that are not messages", () => {
  test("are counted and survived", async () => {
    const { rpc, notifications } = await connect(
      "(m) => { for (const line of ['not json', '', '[1]', '3', '{\"method\":7}']) say(line); say({ method: 'note' }); say({ id: m.id, result: 'ok' }); }",
    );
    expect(await rpc.call("a")).toBe("ok");
    expect(notifications).toEqual([{ method: "note" }]);
    expect(rpc.malformedLines).toBeGreaterThanOrEqual(4);
  });

  test("because they are too long are counted too", async () => {
    const script = server("(m) => { say('x'.repeat(2000)); say({ id: m.id, result: 'ok' }); }");
    const { rpc } = listen(await spawnScript(script, { limits: { maxLineBytes: 1000 } }));
    expect(await rpc.call("a")).toBe("ok");
    expect(rpc.malformedLines).toBe(1);
  });
});

describe("the real app-server", () => {
  async function connectCodex(): Promise<Heard> {
    const directory = await temporaryDirectory();
    const standin = await startOpenaiStandin();
    onTestFinished(() => standin.close());
    const home = await codexHome(directory, standin);
    const process = await spawnAgentProcess({
      command: codexBinary(),
      args: ["app-server"],
      cwd: directory,
      env: { ...childEnvironment(["PATH"]), ...home.env },
    });
    onTestFinished(async () => {
      await process.stop();
    });
    return listen(process);
  }
  const clientInfo = { name: "turnwire", version: "0.1.0" };

  test("answers, refuses with a code, and ends its calls when it is killed", async () => {
    const { rpc, process: codex } = await connectCodex();
    await expect(rpc.call("thread/list", {})).rejects.toMatchObject({
      code: -32600,
      message: "Not initialized",
    });
    expect(await rpc.call("initialize", { clientInfo })).toMatchObject({ platformFamily: "unix" });
    await expect(rpc.call("nope/nope", {})).rejects.toBeInstanceOf(RpcError);
    const pending = Promise.allSettled([rpc.call("command/exec", { command: ["sleep", "60"] })]);
    process.kill(codex.pid, "SIGKILL");
    expect(await pending).toMatchObject([{ status: "rejected", reason: { code: "exited" } }]);
  });

  test("answers every one of some hundred calls at once", async () => {
    const { rpc } = await connectCodex();
    await rpc.call("initialize", { clientInfo });
    const calls = Array.from({ length: 300 }, () => rpc.call("thread/loaded/list", {}));
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ data: [] });
  });
});
