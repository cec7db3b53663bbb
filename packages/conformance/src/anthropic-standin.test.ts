import { request as httpRequest } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type AnthropicStandin,
  attempts,
  cut,
  fail,
  gate,
  rounds,
  startAnthropicStandin,
  stop,
  text,
  thinking,
  toolUse,
  usage,
} from "./anthropic-standin.ts";

let standin: AnthropicStandin;

beforeEach(async () => {
  standin = await startAnthropicStandin();
});

afterEach(() => standin.close());

interface Call {
  readonly prompt?: string;
  readonly messages?: readonly object[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly more?: object;
}

function call({ prompt = "", messages, headers, signal, more }: Call): Promise<Response> {
  return fetch(`${standin.url}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({
      model: "claude-test",
      max_tokens: 1000,
      stream: true,
      messages: messages ?? [{ role: "user", content: prompt }],
      ...more,
    }),
    ...(signal && { signal }),
  });
}

/** The fields of stream events that tests look at. */
interface StreamEvent {
  readonly type: string;
  readonly index?: number;
  readonly delta?: { readonly text?: string };
  readonly message?: { readonly id: string };
  readonly content_block?: { readonly id?: string };
}

async function eventsOf(response: Response): Promise<StreamEvent[]> {
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => JSON.parse(line.slice("data: ".length)) as StreamEvent);
}

async function spoken(parts: Call): Promise<string> {
  const events = await eventsOf(await call(parts));
  return events.map(({ delta }) => delta?.text ?? "").join("");
}

const user = (...content: object[]) => ({ role: "user", content });
const said = (words: string) => ({ type: "text", text: words });
const answered = { role: "assistant", content: [said("…")] };

describe("a stream", () => {
  test("has the events of the Messages API, in their order", async () => {
    standin.scenario("all", () => [
      thinking("Hm."),
      text("Well: "),
      toolUse("Bash", { command: "ls" }),
      usage({ input_tokens: 7, output_tokens: 9 }),
    ]);
    const events = await eventsOf(await call({ prompt: "SCENARIO:all" }));
    expect(
      events.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`)),
    ).toEqual([
      "message_start",
      "content_block_start 0",
      "content_block_delta 0",
      "content_block_delta 0",
      "content_block_stop 0",
      "content_block_start 1",
      "content_block_delta 1",
      "content_block_stop 1",
      "content_block_start 2",
      "content_block_delta 2",
      "content_block_delta 2",
      "content_block_stop 2",
      "message_delta",
      "message_stop",
    ]);
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: "tool_use" },
      usage: { output_tokens: 9 },
    });
  });

  test("gives every message and every tool use an id of its own", async () => {
    standin.scenario("tool", () => [toolUse("Bash", {}), toolUse("Bash", {})]);
    const replies = await Promise.all([
      call({ prompt: "SCENARIO:tool" }).then(eventsOf),
      call({ prompt: "SCENARIO:tool" }).then(eventsOf),
    ]);
    const ids = replies
      .flat()
      .flatMap(({ message, content_block: block }) => message?.id ?? block?.id ?? []);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
  });

  test("carries text that is not ASCII unharmed", async () => {
    expect(await spoken({ prompt: "SCENARIO:text Grüße 🙂 日本語" })).toBe("Grüße 🙂 日本語");
  });

  test("stops for the reason that the script gives", async () => {
    standin.scenario("no", () => [text("I "), stop("refusal")]);
    const events = await eventsOf(await call({ prompt: "SCENARIO:no" }));
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "refusal" } });
  });

  test("waits at a gate in the middle of its text until the gate is released", async () => {
    const response = await call({ prompt: "SCENARIO:hold middle" });
    await standin.reached("middle");
    const [request] = standin.requests;
    let isAnswered = false;
    void request?.answered.then(() => (isAnswered = true));
    await standin.request(({ call }) => call?.prompt === "SCENARIO:hold middle");
    expect(isAnswered).toBe(false);
    standin.release("middle");
    const starts = (await eventsOf(response)).filter(({ type }) => type === "content_block_start");
    expect(starts).toHaveLength(1);
    expect(await request?.answered).toBe(true);
  });

  test("passes a gate that was released before", async () => {
    standin.release("early");
    expect(await spoken({ prompt: "SCENARIO:hold early" })).toBe("before the gate after the gate");
  });

  test("that a client gives up at a gate is over, and affects no other call", async () => {
    const gone = new AbortController();
    const response = await call({ prompt: "SCENARIO:hold never", signal: gone.signal });
    await standin.reached("never");
    gone.abort();
    await expect(response.text()).rejects.toThrow("aborted");
    expect(await standin.requests[0]?.answered).toBe(false);
    expect(await spoken({ prompt: "hello" })).toBe("You said: hello");
  });

  test("that is cut has delivered what came before", async () => {
    standin.scenario("cut", () => [text("half "), cut()]);
    const response = await call({ prompt: "SCENARIO:cut" });
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(first).toContain("message_start");
    const rest = (async () => {
      while (!(await reader?.read())?.done);
    })();
    await expect(rest).rejects.toThrow("terminated");
    expect(await standin.requests[0]?.answered).toBe(false);
  });

  test("can fail in its middle, with an event", async () => {
    standin.scenario("late", () => [text("half "), fail(529)]);
    const events = await eventsOf(await call({ prompt: "SCENARIO:late" }));
    expect(events.at(-1)).toMatchObject({ type: "error", error: { type: "overloaded_error" } });
  });
});

describe("an error", () => {
  test.each([
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [529, "overloaded_error"],
  ])("with status %d is of type %s", async (status, type) => {
    const response = await call({ prompt: `SCENARIO:error ${status}` });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ type: "error", error: { type } });
  });

  test("has the headers of the script", async () => {
    standin.scenario("later", () => [fail(429, { "retry-after": "7" })]);
    const response = await call({ prompt: "SCENARIO:later" });
    expect(response.headers.get("retry-after")).toBe("7");
  });

  test("may pass when the same is tried again, for each speaker by itself", async () => {
    standin.scenario("flaky", attempts([fail(529)], [text("ok")]));
    const prompt = "SCENARIO:flaky";
    const headers = { "x-claude-code-agent-id": "a1" };
    const statuses = [];
    for (const parts of [{ prompt }, { prompt, headers }, { prompt }]) {
      statuses.push((await call(parts)).status);
    }
    expect(statuses).toEqual([529, 529, 200]);
  });
});

describe("a script", () => {
  const twice = rounds([text("first")], [text("second")]);

  test.each([
    [
      "the newest prompt",
      [user(said("SCENARIO:text old")), answered, user(said("SCENARIO:text new"))],
      "new",
    ],
    [
      "not a reminder",
      [user(said("SCENARIO:text it"), said("<system-reminder>x</system-reminder>"))],
      "it",
    ],
    [
      "not a system entry",
      [user(said("SCENARIO:text it")), { role: "system", content: "env" }],
      "it",
    ],
    [
      "the prompt that follows an interrupt in the same message",
      [
        user(said("SCENARIO:text old")),
        answered,
        user(
          { type: "tool_result", tool_use_id: "t", content: "no" },
          said("[Request interrupted by user for tool use]"),
          said("SCENARIO:text new"),
        ),
      ],
      "new",
    ],
    ["a prompt in plain text", [{ role: "user", content: "SCENARIO:text plain" }], "plain"],
  ])("is chosen by %s", async (_case, messages, words) => {
    expect(await spoken({ messages })).toBe(words);
  });

  test("continues by rounds: with tool results, and where the CLI asks it to continue", async () => {
    standin.scenario("twice", twice);
    const begun = [user(said("SCENARIO:twice"))];
    const result = user({ type: "tool_result", tool_use_id: "t", content: "done" });
    const goOn = user(said("Output token limit hit. Resume directly"));
    expect(await spoken({ messages: begun })).toBe("first");
    expect(await spoken({ messages: [...begun, answered, result] })).toBe("second");
    expect(await spoken({ messages: [...begun, answered, goOn] })).toBe("second");
    expect(await spoken({ messages: [...begun, answered, goOn, answered, goOn] })).toBe("second");
  });

  test("hears tool results, and what a person said meanwhile", async () => {
    const messages = [
      user(said("SCENARIO:tool ls")),
      answered,
      user({ type: "tool_result", tool_use_id: "t", content: [said("a.txt")] }),
      {
        role: "system",
        content: "The user sent a new message while you were working:\nhurry\n\nGo on.",
      },
    ];
    expect(await spoken({ messages })).toBe("Result: a.txt Heard: hurry");
  });

  test("knows where the plan belongs", async () => {
    const hint = said("You should create your plan at /plans/p.md using the Write tool.");
    const messages = [user(hint, said("SCENARIO:plan do it"))];
    const events = await eventsOf(await call({ messages }));
    expect(JSON.stringify(events)).toContain("/plans/p.md");
  });

  test("that is unknown echoes the prompt", async () => {
    expect(await spoken({ prompt: "SCENARIO:unheard of" })).toBe("You said: SCENARIO:unheard of");
  });

  test("may be given at the start", async () => {
    const other = await startAnthropicStandin({ scenarios: { mine: () => [text("mine")] } });
    await standin.close();
    standin = other;
    expect(await spoken({ prompt: "SCENARIO:mine" })).toBe("mine");
  });
});

describe("other calls", () => {
  test("for a title, a summary, a suggestion or a probe have answers of their own", async () => {
    const session = { prompt: "<session>SCENARIO:text x</session>" };
    const title = await spoken({
      ...session,
      more: { output_config: { format: { type: "json_schema" } } },
    });
    expect(JSON.parse(title)).toHaveProperty("title");
    expect(await spoken({ prompt: "Your task is to create a detailed summary of it" })).toContain(
      "<summary>",
    );
    expect(await spoken({ prompt: "Reply with ONLY the suggestion" })).not.toBe("");
    const probe = await call({ prompt: "Hi", more: { max_tokens: 1, stream: false } });
    expect(await probe.json()).toMatchObject({ type: "message", content: [{ type: "text" }] });
  });

  test("that do not stream get one whole message", async () => {
    standin.scenario("whole", () => [
      thinking("Hm."),
      text("Yes."),
      gate("x"),
      toolUse("Bash", {}),
    ]);
    const response = await call({ prompt: "SCENARIO:whole", more: { stream: false } });
    expect(await response.json()).toMatchObject({
      role: "assistant",
      stop_reason: "tool_use",
      content: [{ type: "thinking" }, { type: "text", text: "Yes." }, { type: "tool_use" }],
    });
  });

  test("that count tokens get a number", async () => {
    const response = await fetch(`${standin.url}/v1/messages/count_tokens?beta=true`, {
      method: "POST",
      body: JSON.stringify({ messages: [] }),
    });
    expect(await response.json()).toEqual({ input_tokens: expect.any(Number) });
  });

  test("that only look get an empty answer", async () => {
    const response = await fetch(`${standin.url}/api/hello`, { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  test.each([
    ["/v1/messages", "no json", 400],
    ["/v1/messages", "{}", 400],
    ["/v1/nothing", "{}", 404],
  ])("to %s with %s are refused with %d", async (path, body, status) => {
    const response = await fetch(`${standin.url}${path}`, { method: "POST", body });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ type: "error" });
  });
});

describe("the stand-in", () => {
  test("keeps every request, and distinguishes sub-agents from the main agent", async () => {
    const waiting = standin.request(({ agentId }) => agentId === "a1");
    await spoken({ prompt: "one" });
    await spoken({ prompt: "two", headers: { "x-claude-code-agent-id": "a1" } });
    expect((await waiting).call?.prompt).toBe("two");
    expect(standin.requests.map(({ call, agentId }) => [call?.prompt, agentId])).toEqual([
      ["one", undefined],
      ["two", "a1"],
    ]);
  });

  test("closes with streams that are still open", async () => {
    const response = await call({ prompt: "SCENARIO:hold for-ever" });
    await standin.reached("for-ever");
    await standin.close();
    await expect(response.text()).rejects.toThrow("terminated");
    standin = await startAnthropicStandin();
  });

  test("takes no harm from a request that breaks off", async () => {
    const broken = httpRequest(`${standin.url}/v1/messages`, {
      method: "POST",
      headers: { "content-length": "100" },
    });
    const failed = new Promise((resolve) => broken.once("error", resolve));
    broken.write("{");
    broken.destroy();
    await failed;
    expect(await spoken({ prompt: "hello" })).toBe("You said: hello");
  });
});
