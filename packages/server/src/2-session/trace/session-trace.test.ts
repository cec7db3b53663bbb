import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { draft } from "@turnwire/protocol";
import { createMemoryStore, StoreError } from "@turnwire/log";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { interceptAppends } from "../../../../log/src/test-support/intercepted-store.ts";
import { eventOf } from "../../test-support/log-reader.ts";
import { admin, createTestSession, openTestHost } from "../../test-support/test-host.ts";
import type { SessionHost } from "../../3-host/session-host.ts";
import type { Session } from "../session.ts";

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
trace.setGlobalTracerProvider(provider);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

/** Other tests of this process may still have sessions that are about to end. */
let sessionId = "";
afterEach(() => exporter.reset());
afterAll(async () => {
  trace.disable();
  context.disable();
  await provider.shutdown();
});

function say(session: Session, text: string) {
  return session.execute({ type: "user_message", content: text }, admin);
}

async function createSession(host: SessionHost): Promise<Session> {
  const session = await createTestSession(host);
  sessionId = session.id;
  return session;
}

function spansOfSession(): ReadableSpan[] {
  const isOurs = ({ attributes }: ReadableSpan) =>
    attributes["gen_ai.conversation.id"] === sessionId;
  return exporter.getFinishedSpans().filter(isOurs);
}

function spansNamed(name: string): ReadableSpan[] {
  return spansOfSession().filter((span) => span.name === name);
}

function spanNamed(name: string): ReadableSpan {
  const [span, ...more] = spansNamed(name);
  if (!span || more.length > 0) {
    const names = spansOfSession().map((found) => found.name);
    throw new Error(`expected one span ${name} among: ${names.join(", ")}`);
  }
  return span;
}

function parentOf(span: ReadableSpan): string | undefined {
  const id = span.parentSpanContext?.spanId;
  return exporter.getFinishedSpans().find((other) => other.spanContext().spanId === id)?.name;
}

const bash = draft("tool_start", {
  message_id: "m",
  tool_use_id: "tool-1",
  tool: "Bash",
  command: "cat /etc/secret-words",
  input: { command: "cat /etc/secret-words" },
});
const askBash = draft("permission_request", {
  correlation_id: "ask-1",
  tool_use_id: "tool-1",
  tool_name: "Bash",
  tool_input: { command: "cat /etc/secret-words" },
});
const bashResult = draft("tool_result", {
  tool_use_id: "tool-1",
  output: "secret-words of the output",
  is_error: false,
});

describe("the spans of a session", () => {
  test("show a turn with its tool, what a person was asked about it, and the commits, nested", async () => {
    const { host, runtime } = openTestHost();
    const session = await createSession(host);
    await say(session, "secret-words of the message");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    run.say(bash, askBash);
    await eventOf(session.log, "permission_request");
    await session.execute(
      { type: "permission_response", correlation_id: "ask-1", behavior: "allow" },
      admin,
    );
    run.say(bashResult);
    run.say(
      draft("result", {
        turn_id: input.turnId,
        subtype: "success",
        is_error: false,
        text: "secret-words of the result",
        usage: { input_tokens: 12, output_tokens: 34 },
        total_cost_usd: 0.5,
      }),
      draft("done", { turn_id: input.turnId }),
    );
    await eventOf(session.log, "done");
    await host.close();

    const turn = spanNamed("invoke_agent scripted");
    expect(turn.attributes).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "scripted",
      "gen_ai.conversation.id": session.id,
      "turnwire.turn.id": input.turnId,
      "turnwire.turn.result": "success",
      "gen_ai.usage.input_tokens": 12,
      "gen_ai.usage.output_tokens": 34,
      "turnwire.turn.cost_usd": 0.5,
    });
    expect(turn.status.code).toBe(SpanStatusCode.UNSET);
    expect(turn.parentSpanContext).toBeUndefined();
    expect(parentOf(spanNamed("execute_tool Bash"))).toBe("invoke_agent scripted");
    const request = spanNamed("request permission");
    expect(parentOf(request)).toBe("execute_tool Bash");
    expect(request.attributes).toMatchObject({
      "turnwire.request.outcome": "answered",
      "turnwire.request.is_allowed": true,
      "gen_ai.tool.name": "Bash",
    });
    const commits = spansNamed("commit");
    const events = commits.map((span) => Number(span.attributes["turnwire.commit.events"]));
    expect(events.reduce((sum, count) => sum + count, 0)).toBe(session.log.head - 1);
    expect(new Set(commits.map(parentOf))).toEqual(new Set([undefined, "invoke_agent scripted"]));
    const parts = spansOfSession().map(({ name, attributes, status, events: notes }) => ({
      name,
      attributes,
      status,
      notes,
    }));
    expect(JSON.stringify(parts)).not.toContain("secret-words");
  });

  test("put what a sub-agent does below the tool that started it", async () => {
    const { host, runtime } = openTestHost();
    const session = await createSession(host);
    await say(session, "hello");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    const spawn = { message_id: "m", tool_use_id: "task-1", tool: "Task", subagent_spawn: true };
    run.say(
      draft("tool_start", spawn),
      { ...bash, subagent_id: "task-1" },
      { ...bashResult, data: { ...bashResult.data, is_error: true }, subagent_id: "task-1" },
      draft("tool_result", { tool_use_id: "task-1", output: "", is_error: false }),
    );
    run.finish(input.turnId);
    await eventOf(session.log, "done");
    await host.close();
    expect(parentOf(spanNamed("execute_tool Bash"))).toBe("execute_tool Task");
    expect(parentOf(spanNamed("execute_tool Task"))).toBe("invoke_agent scripted");
    expect(spanNamed("execute_tool Bash")).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { "error.type": "tool_error" },
    });
  });

  test("belong to the trace of whoever sent the message, also when it waited", async () => {
    const { host, runtime } = openTestHost();
    const session = await createSession(host);
    const tracer = trace.getTracer("embedder");
    const sendIn = (name: string) =>
      tracer.startActiveSpan(name, async (span) => {
        await say(session, name);
        span.end();
      });
    await sendIn("POST first");
    const run = await runtime.run();
    const first = await run.wasAsked("send", 1);
    await sendIn("POST second");
    run.finish(first.input.turnId);
    const second = await run.wasAsked("send", 2);
    run.finish(second.input.turnId);
    await eventOf(session.log, "done", 2);
    await host.close();
    expect(spansNamed("invoke_agent scripted").map(parentOf)).toEqual([
      "POST first",
      "POST second",
    ]);
  });

  test("say why a turn failed by its code, and end what the agent left open", async () => {
    const { host, runtime } = openTestHost();
    const session = await createSession(host);
    await say(session, "hello");
    const run = await runtime.run();
    await run.wasAsked("send");
    run.say(bash, askBash);
    await eventOf(session.log, "permission_request");
    run.die("secret-words of the agent");
    await eventOf(session.log, "done");
    await host.close();
    const turn = spanNamed("invoke_agent scripted");
    expect(turn.status).toEqual({ code: SpanStatusCode.ERROR, message: "agent_exited" });
    expect(turn.events.map(({ attributes }) => attributes)).toEqual([
      { "error.type": "agent_exited" },
    ]);
    expect(spanNamed("execute_tool Bash").attributes["turnwire.is_unfinished"]).toBe(true);
    expect(spanNamed("request permission")).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { "turnwire.request.outcome": "orphaned" },
    });
  });

  test("an error that the agent got over is noted, and the turn is none", async () => {
    const { host, runtime } = openTestHost();
    const session = await createSession(host);
    await say(session, "hello");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    const overloaded = { code: "overloaded", message: "secret-words", retryable: true };
    run.say(draft("error", overloaded, { turn_id: input.turnId }));
    run.finish(input.turnId);
    await eventOf(session.log, "done");
    await host.close();
    const turn = spanNamed("invoke_agent scripted");
    expect(turn.status.code).toBe(SpanStatusCode.UNSET);
    expect(turn.events).toHaveLength(1);
  });

  test("a turn that a person stopped is not a failure", async () => {
    const { host, runtime } = openTestHost();
    const session = await createSession(host);
    await say(session, "hello");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    await session.execute({ type: "interrupt" }, admin);
    run.finish(input.turnId, true);
    await eventOf(session.log, "done");
    await host.close();
    const turn = spanNamed("invoke_agent scripted");
    expect(turn.status.code).toBe(SpanStatusCode.UNSET);
    expect(turn.attributes["turnwire.turn.is_stopped"]).toBe(true);
  });

  test("a turn that its process did not survive has a span of the one that settles it", async () => {
    const store = createMemoryStore();
    const crashed = openTestHost({ store });
    const session = await createSession(crashed.host);
    await say(session, "hello");
    const run = await crashed.runtime.run();
    const { input } = await run.wasAsked("send");
    run.say(askBash);
    const { ts } = await eventOf(session.log, "turn_started");
    await eventOf(session.log, "permission_request");
    await crashed.crash();
    const { host } = openTestHost({ store });
    await host.recover();
    await host.close();
    const turn = spanNamed("invoke_agent scripted");
    expect(turn.attributes["turnwire.turn.id"]).toBe(input.turnId);
    expect(turn.startTime[0]).toBe(Math.floor(Date.parse(ts) / 1000));
    expect(turn.status).toEqual({ code: SpanStatusCode.ERROR, message: "turn_lost" });
    expect(parentOf(spanNamed("request permission"))).toBe("invoke_agent scripted");
  });

  test("a commit that fails has a span with the store's code, and what was open ends", async () => {
    const failed = new StoreError("lease_lost", "secret-words");
    let isLost = false;
    const store = interceptAppends(createMemoryStore(), async (_batch, go) => {
      if (isLost) throw failed;
      await go();
    });
    const { host, runtime } = openTestHost({ store });
    const session = await createSession(host);
    await say(session, "hello");
    const run = await runtime.run();
    await run.wasAsked("send");
    isLost = true;
    run.say(bash);
    await host.close();
    await session.ended;
    const failures = spansNamed("commit").filter(
      ({ status }) => status.code === SpanStatusCode.ERROR,
    );
    expect(failures.map(({ attributes }) => attributes["error.type"])).toEqual(["lease_lost"]);
    expect(failures.map(parentOf)).toEqual(["invoke_agent scripted"]);
    expect(spanNamed("invoke_agent scripted").attributes["turnwire.is_unfinished"]).toBe(true);
  });
});
