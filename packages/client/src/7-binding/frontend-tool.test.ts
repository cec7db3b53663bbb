import type { Command, EventDraft } from "@turnwire/protocol";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../client.ts";
import { createHastyPlatform } from "../test-support/hasty-platform.ts";
import {
  placed,
  ready,
  toolCallClaimed,
  toolCalled,
  toolCallResolved,
} from "../test-support/sample-event.ts";
import { ScriptedServer } from "../test-support/scripted-server.ts";
import { serveFrontendTool, type FrontendTool } from "./frontend-tool.ts";

let server: ScriptedServer;
let sessionCount = 0;

beforeAll(async () => {
  server = await ScriptedServer.start();
});

afterAll(() => server.close());

/** A session in which the tool is served. */
async function serve(tool: FrontendTool, drafts: readonly EventDraft[] = []) {
  const id = `s${++sessionCount}`;
  const remote = server.addSession(id, placed([ready, ...drafts]));
  const { platform } = createHastyPlatform();
  const client = createClient({ url: server.url, token: server.token, ...platform });
  const session = client.openSession(id);
  onTestFinished(() => session.close());
  await session.waitFor(({ connection }) => connection.status === "live");
  const stop = serveFrontendTool(session, "choose", tool);
  onTestFinished(stop);
  const answers = () =>
    server
      .seenAt(`/${id}/commands`)
      .map(({ body }) => body as Command)
      .filter(({ type }) => type === "tool_call_response");
  return { id, remote, session, stop, answers };
}

/** A tool that a test answers by hand. */
function createHandTool() {
  const calls: { answer: (color: string) => void; signal: AbortSignal }[] = [];
  const tool: FrontendTool = (_input, { signal }) =>
    new Promise((answer) => {
      calls.push({ answer, signal });
    });
  return { calls, tool };
}

describe("a frontend tool that is served", () => {
  test("performs each call of its name once, those that wait already among them", async () => {
    const inputs: unknown[] = [];
    const tool: FrontendTool = (input) => {
      inputs.push(input);
      return "teal";
    };
    const { remote, session, answers } = await serve(tool, [
      toolCalled("t1"),
      toolCalled("t2", "other"),
    ]);
    remote.append(toolCalled("t3"));
    await expect.poll(answers).toHaveLength(2);
    await session.waitFor((view) => Object.keys(view.session.requests).length === 1);
    // Each claim and each answer is a request of its own: which one arrives first is open.
    expect(inputs).toHaveLength(2);
    expect(new Set(inputs)).toEqual(new Set(["t1", "t3"]));
    expect(new Set(answers())).toEqual(
      new Set([
        { type: "tool_call_response", correlation_id: "t1", output: "teal" },
        { type: "tool_call_response", correlation_id: "t3", output: "teal" },
      ]),
    );
  });

  test("answers with null where it has nothing to say, and with the error that it threw", async () => {
    const tool: FrontendTool = (input) => {
      if (input === "t2") throw new Error("No colours today");
      return undefined;
    };
    const { answers } = await serve(tool, [toolCalled("t1"), toolCalled("t2")]);
    await expect.poll(answers).toHaveLength(2);
    expect(answers()).toEqual(
      expect.arrayContaining([
        { type: "tool_call_response", correlation_id: "t1", output: null },
        {
          type: "tool_call_response",
          correlation_id: "t2",
          output: "No colours today",
          is_error: true,
        },
      ]),
    );
  });

  test("is aborted when somebody else has answered, and then says nothing", async () => {
    const { calls, tool } = createHandTool();
    const { remote, session, answers } = await serve(tool, [toolCalled("t1")]);
    await expect.poll(() => calls.length).toBe(1);
    remote.append(toolCallResolved("t1"));
    await session.waitFor((view) => Object.keys(view.session.requests).length === 0);
    expect(calls[0]?.signal.aborted).toBe(true);
    calls[0]?.answer("late");
    remote.append(toolCalled("t2"));
    await expect.poll(() => calls.length).toBe(2);
    calls[1]?.answer("teal");
    await expect.poll(answers).toHaveLength(1);
    expect(answers()).toMatchObject([{ correlation_id: "t2" }]);
  });

  test("has its answer sent again where that got lost on the way, and once only", async () => {
    let performed = 0;
    const tool: FrontendTool = () => {
      server.fail(`/${id}/commands`, { type: "drop_before" }, { type: "drop_after" });
      return ++performed;
    };
    const { id, remote, session, answers } = await serve(tool);
    remote.append(toolCalled("t1"));
    await session.waitFor(({ requests }) => requests["t1"]?.status === "resolved");
    expect(performed).toBe(1);
    expect(new Set(answers().map((body) => JSON.stringify(body))).size).toBe(1);
    expect(remote.events.filter(({ type }) => type === "tool_call_resolved")).toHaveLength(1);
  });

  test("has its claim sent again where that got lost on the way, and is performed once", async () => {
    let performed = 0;
    const { id, remote, session } = await serve(() => ++performed);
    server.fail(`/${id}/commands`, { type: "drop_before" }, { type: "drop_after" });
    remote.append(toolCalled("t1"));
    await session.waitFor(({ requests }) => requests["t1"]?.status === "resolved");
    expect(performed).toBe(1);
  });

  test("in two places of a page is performed in one of them", async () => {
    const [first, second] = [createHandTool(), createHandTool()];
    const { remote, session, answers } = await serve(first.tool);
    onTestFinished(serveFrontendTool(session, "choose", second.tool));
    remote.append(toolCalled("t1"));
    await expect.poll(() => first.calls.length).toBe(1);
    first.calls[0]?.answer("teal");
    await session.waitFor(({ requests }) => requests["t1"]?.status === "resolved");
    expect(answers()).toMatchObject([{ output: "teal" }]);
    expect(second.calls).toHaveLength(0);
  });

  test("in two places of a page is performed in the other when the first is served no longer", async () => {
    const [first, second] = [createHandTool(), createHandTool()];
    const { remote, session, stop } = await serve(first.tool);
    onTestFinished(serveFrontendTool(session, "choose", second.tool));
    remote.append(toolCalled("t1"));
    await expect.poll(() => first.calls.length).toBe(1);
    stop();
    await expect.poll(() => second.calls.length).toBe(1);
  });

  test("is not performed while another page has claimed the call", async () => {
    const { calls, tool } = createHandTool();
    const { id, remote } = await serve(tool);
    remote.append(toolCalled("t1"), toolCallClaimed("t1", "another page"), toolCalled("t2"));
    await expect.poll(() => calls.length).toBe(1);
    await expect.poll(() => server.seenAt(`/${id}/commands`).length).toBe(2);
    expect(calls).toHaveLength(1);
  });

  test("is aborted when another page took the call over, and then says nothing", async () => {
    const { calls, tool } = createHandTool();
    const { remote, answers } = await serve(tool);
    remote.append(toolCalled("t1"));
    await expect.poll(() => calls.length).toBe(1);
    remote.append(toolCallClaimed("t1", "another page"));
    await expect.poll(() => calls[0]?.signal.aborted).toBe(true);
    calls[0]?.answer("late");
    remote.append(toolCalled("t2"));
    await expect.poll(() => calls.length).toBe(2);
    calls[1]?.answer("teal");
    await expect.poll(answers).toHaveLength(1);
    expect(answers()).toMatchObject([{ correlation_id: "t2" }]);
  });

  test("is aborted when it is served no longer", async () => {
    const { calls, tool } = createHandTool();
    const { stop } = await serve(tool, [toolCalled("t1")]);
    await expect.poll(() => calls.length).toBe(1);
    stop();
    expect(calls[0]?.signal.aborted).toBe(true);
  });

  test("that is stopped and started again in one go is performed once", async () => {
    const { session, stop: stopOther } = await serve(createHandTool().tool, [toolCalled("t1")]);
    stopOther();
    const { calls, tool } = createHandTool();
    serveFrontendTool(session, "choose", tool)();
    onTestFinished(serveFrontendTool(session, "choose", tool));
    await expect.poll(() => calls.length).toBeGreaterThan(0);
    expect(calls).toHaveLength(1);
  });
});
