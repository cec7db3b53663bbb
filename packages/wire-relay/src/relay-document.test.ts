import { readFileSync } from "node:fs";
import { claudeCli } from "@turnwire/runtime-claude";
import { describe, expect, test } from "vitest";
import { ofType, type RelayLine, startRelay } from "./test-support/relay-client.ts";

const page = readFileSync(new URL("../../../docs/protocol/relay.md", import.meta.url), "utf8");

/** The lines of a section's examples. */
function examples(heading: string): string[] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  const blocks = [...own.matchAll(/^```json\n([^]*?)^```$/gm)];
  return blocks.flatMap(([, block = ""]) => block.trimEnd().split("\n"));
}

function start() {
  const runtimes = [claudeCli()];
  return startRelay({ hostOptions: { runtimes, defaultRuntime: "claude-cli" } });
}

describe("the page about the relay", () => {
  const [initialize = "", ...statuses] = examples("What the relay itself sends");
  const written = examples("What a CLI writes");
  const sent = examples("What a front end sends");

  test("shows what a CLI and front ends are sent by the relay itself", async () => {
    const running = await start();
    const early = await running.frontEnd();
    const cli = await running.cli();
    const { request_id, request } = await cli.line(ofType("control_request"));
    expect({ type: "control_request", request_id: "<uuid>", request }).toMatchObject(
      JSON.parse(initialize) as object,
    );
    expect(request_id).toEqual(expect.any(String));
    const late = await running.frontEnd();
    await late.until(() => late.frames.length === 1);
    cli.websocket.close();
    await late.until(() => late.frames.length === 2);
    const frames = [...early.frames.slice(0, 1), ...late.frames];
    expect(frames).toEqual(statuses.map((line) => `${line}\n`));
  });

  test("shows lines that reach a front end byte for byte", async () => {
    const running = await start();
    const cli = await running.cli();
    const client = await running.frontEnd();
    const { length: before } = await client
      .until(() => client.frames.length > 0)
      .then(() => client.frames);
    expect(written.length).toBeGreaterThan(5);
    for (const line of written) cli.websocket.send(`${line}\n`);
    await client.until(() => client.frames.length >= before + written.length);
    expect(client.frames.slice(before)).toEqual(written.map((line) => `${line}\n`));
  });

  test("shows lines of a front end that reach the CLI, an answer in its nested form", async () => {
    const running = await start();
    const cli = await running.cli();
    const client = await running.frontEnd();
    const [user = "", nested = "", flat = "", ...others] = sent;
    expect(others).toEqual([]);
    client.websocket.send(user);
    const prompt = JSON.parse(user) as RelayLine;
    expect(await cli.line(ofType("user"))).toEqual({ ...prompt, uuid: expect.any(String) });
    for (const line of written) cli.websocket.send(`${line}\n`);
    await client.line(ofType("control_request", { request_id: "request-2" }));
    client.websocket.send(nested);
    client.websocket.send(flat);
    const answered = () => cli.lines.filter(ofType("control_response"));
    await cli.until(() => answered().length === 2);
    const commands = { "request-1": "npm test", "request-2": "npm publish" };
    expect(answered()).toMatchObject(
      Object.entries(commands).map(([request_id, command]) => ({
        response: {
          request_id,
          subtype: "success",
          response: { behavior: "allow", updatedInput: { command } },
        },
      })),
    );
    expect(client.lines.filter(ofType("error"))).toEqual([]);
  });
});

/** Everything that the description of `--sdk-url` shows a CLI writing, as it is printed there but in one line. */
const described = [
  '{"type":"control_response","response":{"request_id":"<uuid>","subtype":"success"}}',
  '{"type":"system","subtype":"init","session_id":"sess_abc123","model":"claude-sonnet-4-6"}',
  '{"type":"stream_event","event":{"type":"<event_type>","index":0,"content_block":{"type":"text","name":"...","id":"..."},"delta":{"type":"text_delta","text":"chunk..."}}}',
  ...["message_start", "content_block_start", "content_block_stop", "message_stop"].map(
    (type) => `{"type":"stream_event","event":{"type":"${type}","index":0}}`,
  ),
  ...[
    '{"type":"text_delta","text":"a"}',
    '{"type":"input_json_delta","partial_json":"{\\"a"}',
    '{"type":"thinking_delta","thinking":"a"}',
  ].map(
    (delta) =>
      `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":${delta}}}`,
  ),
  '{"type":"assistant","message":{"content":[{"type":"text","text":"Full response text"},{"type":"tool_use","name":"Write","input":{"file_path":"..."},"id":"tu_123"},{"type":"tool_result","content":"Tool output..."}]}}',
  '{"type":"control_request","request_id":"<uuid>","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"npm test"}}}',
  '{"type":"result","is_error":false,"result":"Final text output","session_id":"sess_abc123","cost_usd":0.012,"duration_ms":4500}',
];

test.each(described)(
  "a CLI's message goes through alone, before anything else: %s",
  async (line) => {
    const running = await start();
    const cli = await running.cli();
    const client = await running.frontEnd();
    cli.websocket.send(line);
    await client.until(() => client.frames.includes(`${line}\n`));
    const late = await running.frontEnd();
    await late.until(() => late.frames.includes(`${line}\n`));
    expect(client.lines.filter(ofType("error"))).toEqual([]);
  },
);

test("all messages of a CLI go through in order, and make a session with its turn", async () => {
  const running = await start();
  const cli = await running.cli();
  const client = await running.frontEnd();
  for (const line of described) cli.websocket.send(`${line}\n`);
  await client.line(ofType("result"));
  expect(client.frames.filter((frame) => !frame.includes('"status"'))).toEqual(
    described.map((line) => `${line}\n`),
  );
  const text = async (): Promise<string> => (await running.request("/sessions")).text();
  await expect.poll(text).toContain('"provider_session_id":"sess_abc123"');
  expect(running.errors).toEqual([]);
});
