import { demo } from "@turnwire/runtime/demo";
import { createAgentClient } from "@agent-webkit/core";
import { DemoSteps } from "@turnwire/conformance";
import {
  createMemoryStore,
  createSessionHost,
  createTurnwireServer,
  type TurnwireServerOptions,
} from "@turnwire/server";
import { webkit } from "@turnwire/wire-webkit";
import { tmpdir } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { webkitContract } from "./support/webkit-contract.ts";
import { WebkitTab } from "./support/webkit-tab.ts";

const steps = new DemoSteps();
steps.run();

webkitContract("the demo agent", {
  createRuntime: () => demo({ pace: steps }),
  cwd: tmpdir,
  prompts: {
    text: "thinking",
    long: "long 4",
    endless: () => {
      void steps.next(20);
      onTestFinished(() => steps.run());
      return "slow";
    },
    permission: "permission",
    question: "question",
    task: "tasks forever",
    crash: "crash",
    failure: "error",
    tools: ["tools", "read", "tool-error", "subagents", "huge"],
  },
  answers: { given: ["SQLite", ["Login", "Export"]], trace: "Login, Export" },
  edit: { input: { command: "echo changed" }, trace: "echo changed" },
  model: "demo-large",
  mode: "plan",
});

describe("agent-webkit's clients at the door", () => {
  const token = "webkit-token-0123456789-abcdefghijklmnopqrstuvwxyz";

  async function listen(options: Pick<TurnwireServerOptions, "auth" | "wires">): Promise<string> {
    const host = createSessionHost({
      store: createMemoryStore(),
      runtimes: [demo({ delayMs: 0 })],
      defaultRuntime: "demo",
      roots: [tmpdir()],
    });
    const server = await createTurnwireServer({
      host,
      auth: { type: "off" },
      wires: [webkit()],
      ...options,
    });
    onTestFinished(() => server.close());
    return (await server.listen()).url;
  }

  test.each([undefined, "wrong"])("are refused with the token %s", async (wrong) => {
    const baseUrl = await listen({ auth: { type: "token", token } });
    const { id } = await createAgentClient({ baseUrl, token }).createSession();
    const stranger = createAgentClient({ baseUrl, ...(wrong !== undefined && { token: wrong }) });
    const refusal = { name: "TransportError", status: 401 };
    const body = expect.stringContaining('"detail":');
    await expect(stranger.createSession()).rejects.toMatchObject({ ...refusal, body });
    const tab = new WebkitTab(stranger.attachSession(id));
    expect(await tab.ended).toMatchObject(refusal);
    await expect(tab.session.send("hello")).rejects.toMatchObject({ ...refusal, body });
  });

  test("need no token where auth is off", async () => {
    const client = createAgentClient({ baseUrl: await listen({}) });
    const tab = new WebkitTab(await client.createSession());
    await tab.turn("thinking");
    expect(tab.state.status).toBe("idle");
    await tab.session.close();
  });

  /** A session whose turn is longer than the ring, and somebody who comes back to its beginning. */
  async function comeBack(replay: "store" | "ring"): Promise<{ tab: WebkitTab; back: WebkitTab }> {
    const client = createAgentClient({
      baseUrl: await listen({ wires: [webkit({ replay, ringSize: 2 })] }),
    });
    const tab = new WebkitTab(await client.createSession());
    await tab.turn("thinking");
    const attached = client.attachSession(tab.session.id, { resumeFromEventId: "1" });
    onTestFinished(() => tab.session.close());
    onTestFinished(() => attached.detach());
    return { tab, back: new WebkitTab(attached) };
  }

  test("find everything in the store, however long they were away", async () => {
    const { tab, back } = await comeBack("store");
    await back.turns(1);
    expect(back.events).toEqual(tab.events.slice(1));
  });

  test("get 412 after that where only the ring counts", async () => {
    const { back } = await comeBack("ring");
    expect(await back.ended).toMatchObject({ name: "TransportError", status: 412 });
  });
});
