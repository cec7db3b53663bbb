import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { type OpenaiStandin, startOpenaiStandin, text } from "./openai-standin.ts";

const Event = z.looseObject({
  type: z.string(),
  delta: z.string().optional(),
  item: z.looseObject({ call_id: z.string().optional() }).optional(),
});

async function start(): Promise<OpenaiStandin> {
  const standin = await startOpenaiStandin();
  onTestFinished(() => standin.close());
  return standin;
}

function post(standin: OpenaiStandin, input: unknown): Promise<Response> {
  const body = JSON.stringify({ model: "m", stream: true, input });
  return fetch(`${standin.url}/v1/responses`, { method: "POST", body });
}

async function eventsOf(answer: Response): Promise<z.infer<typeof Event>[]> {
  const lines = (await answer.text()).split("\n");
  return lines.flatMap((line) =>
    line.startsWith("data: ") ? [Event.parse(JSON.parse(line.slice(6)))] : [],
  );
}

function user(words: string): object {
  return { type: "message", role: "user", content: [{ type: "input_text", text: words }] };
}

async function spoken(answer: Response): Promise<string> {
  return (await eventsOf(answer)).map(({ delta = "" }) => delta).join("");
}

describe("the stand-in of the Responses API", () => {
  test("says again what names no scenario, whatever the client wrote around it", async () => {
    const standin = await start();
    const input = [user("hello"), user("<environment_context>x</environment_context>")];
    const events = await eventsOf(await post(standin, input));
    expect(events.map(({ delta = "" }) => delta).join("")).toBe("You said: hello");
    expect(events.at(0)?.type).toBe("response.created");
    expect(events.at(-1)?.type).toBe("response.completed");
  });

  test("continues when a tool has answered, also when a message follows the output", async () => {
    const standin = await start();
    const prompt = user("SCENARIO:tool echo hi");
    const [called] = (await eventsOf(await post(standin, [prompt]))).flatMap(
      ({ item }) => item ?? [],
    );
    const output = { type: "function_call_output", call_id: "c", output: "Output:\nhi\n" };
    const note = user("<note>something</note>");
    const answer = await post(standin, [prompt, { type: "function_call" }, output, note]);
    expect(called).toMatchObject({ type: "function_call", name: "exec_command" });
    expect(await spoken(answer)).toBe("Result: hi");
  });

  test("gives every tool use an id of its own", async () => {
    const standin = await start();
    const answers = await Promise.all([1, 2].map(() => post(standin, [user("SCENARIO:tool ls")])));
    const events = (await Promise.all(answers.map(eventsOf))).flat();
    const ids = events.flatMap(({ item }) => item?.call_id ?? []);
    expect(new Set(ids).size).toBe(2);
  });

  test("holds a stream at a gate until it is released", async () => {
    const standin = await start();
    const answer = post(standin, [user("SCENARIO:hold middle")]);
    await standin.reached("middle");
    standin.release("middle");
    expect(await spoken(await answer)).toBe("before the gate after the gate");
  });

  test("counts how often a call was made, so that a retry can go better", async () => {
    const standin = await start();
    standin.scenario("twice", ({ attempt }) => [text(`attempt ${attempt}`)]);
    const said = [];
    for (let call = 0; call < 2; call += 1) {
      said.push(await spoken(await post(standin, [user("SCENARIO:twice")])));
    }
    expect(said).toEqual(["attempt 0", "attempt 1"]);
  });

  test("fails as the script says, and refuses a request that is not a call", async () => {
    const standin = await start();
    const failed = await post(standin, [user("SCENARIO:error 429 usage_limit_reached")]);
    expect(failed.status).toBe(429);
    expect(await failed.json()).toMatchObject({ error: { type: "usage_limit_reached" } });
    expect(failed.headers.has("retry-after")).toBe(false);
    const busy = await post(standin, [user("SCENARIO:error 429 rate_limit_exceeded 2")]);
    expect(busy.headers.get("retry-after")).toBe("2");
    expect((await post(standin, "no list")).status).toBe(400);
    expect((await fetch(`${standin.url}/v1/models`)).status).toBe(404);
  });

  test("ends a stream with words that are not an event", async () => {
    const standin = await start();
    const answer = await post(standin, [user("SCENARIO:broken")]);
    const [last = ""] = (await answer.text()).trim().split("\n\n").slice(-1);
    expect(() => JSON.parse(last.split("data: ")[1] ?? "")).toThrow(SyntaxError);
    expect(await standin.requests[0]?.answered).toBe(true);
  });

  test("drops the connection in the middle of an answer", async () => {
    const standin = await start();
    const answer = await post(standin, [user("SCENARIO:cut")]);
    await expect(answer.text()).rejects.toThrow("terminated");
    expect(await standin.requests[0]?.answered).toBe(false);
  });
});
