import { expect, onTestFinished, test } from "vitest";
import { exchangesIn, isShownAs } from "../../wire/src/test-support/documented-exchange.ts";
import { startServer } from "../../server/src/4-transport/test-support/running-server.ts";
import { readSse, type SseReader } from "../../server/src/4-transport/test-support/sse-reader.ts";

const exchanges = exchangesIn(new URL("../../../docs/protocol/webkit.md", import.meta.url));

/** One example of the document, against a server of its own. */
async function play(steps: (typeof exchanges)[number]): Promise<void> {
  const { url, request } = await startServer();
  const known: Record<string, unknown> = {};
  let stream: SseReader | undefined;
  let read = 0;
  onTestFinished(() => stream?.close());
  const filledIn = (text: string): string =>
    text.replaceAll(/:(\w+)/g, (all, name: string) => {
      const value = known[name];
      return typeof value === "string" ? value : all;
    });
  const nextEvent = async (name: string, shown: unknown): Promise<void> => {
    const reader = stream;
    if (!reader) throw new Error(`${name} is shown before the stream is opened`);
    const find = (): number =>
      reader.frames.findIndex(
        ({ event, data }, index) =>
          index >= read && event === name && isShownAs(JSON.parse(data), shown),
      );
    await reader.until(() => find() >= 0);
    const found = find();
    read = found + 1;
    Object.assign(known, JSON.parse(reader.frames[found]?.data ?? "{}"));
  };
  const send = async (sent: string, answer = ""): Promise<void> => {
    const [, method = "", path = "", body] = /^(\w+) (\S+)(?: (.+))?$/.exec(sent) ?? [];
    const json = body === undefined ? {} : { json: JSON.parse(filledIn(body)) };
    const response = await request(filledIn(path), { method, ...json });
    const text = await response.text();
    const [, status, shown] = /^(\d+)(?: (.+))?$/.exec(answer) ?? [];
    expect([sent, response.status, text]).toMatchObject([sent, Number(status), expect.any(String)]);
    if (shown === undefined) return;
    expect(JSON.parse(text)).toSatisfy((value) => isShownAs(value, JSON.parse(shown)));
    Object.assign(known, JSON.parse(text));
  };
  for (const { sent, received } of steps) {
    const isStream = sent.endsWith("/stream");
    if (isStream) stream = await readSse(`${url}${filledIn(sent.replace("GET ", ""))}`);
    else await send(sent, received[0]);
    for (const line of isStream ? received : received.slice(1)) {
      const [, name = "", shown = ""] = /^(\w+) (.+)$/.exec(line) ?? [];
      await nextEvent(name, JSON.parse(filledIn(shown)));
    }
  }
}

test.each(exchanges.map((steps, index) => [index + 1, steps] as const))(
  "example %i of the page about agent-webkit runs as it is printed",
  async (_number, steps) => {
    await expect(play(steps)).resolves.toBeUndefined();
  },
);

test("the page shows every message and event of agent-webkit", () => {
  const lines = exchanges.flat();
  const types = lines.flatMap(({ sent }) => /"type":"(\w+)"/.exec(sent)?.[1] ?? []);
  expect(types).toEqual(
    expect.arrayContaining([
      "user_message",
      "interrupt",
      "permission_response",
      "question_response",
      "set_permission_mode",
      "set_model",
      "stop_task",
      "hook_response",
    ]),
  );
  const events = lines.flatMap(({ received }) => received.map((line) => line.split(" ")[0] ?? ""));
  expect(events).toEqual(
    expect.arrayContaining([
      "session_ready",
      "message_delta",
      "message_complete",
      "tool_use",
      "tool_result",
      "permission_request",
      "ask_user_question",
      "hook_decision_request",
      "result",
      "error",
      "mcp_status_change",
      "done",
    ]),
  );
});
