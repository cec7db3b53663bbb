import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { agentMessageSchemas } from "./message.ts";

const sdk = fileURLToPath(import.meta.resolve("@anthropic-ai/claude-agent-sdk"));
const types = readFileSync(sdk.replace(/sdk\.mjs$/, "sdk.d.ts"), "utf8").replaceAll("\r", "");
const vocabulary = fileURLToPath(new URL("../fixtures/vocabulary.txt", import.meta.url));

/** The pinned version sends these without having them in its types: recorded streams and sessions hold them. */
const untyped: ReadonlySet<string> = new Set([
  "command_lifecycle",
  "keep_alive",
  "result: model_usage_since_last_result",
  "stream_event: abandoned_blocks",
  "stream_event: agent_id",
  "stream_event: subagent_type",
  "system/ui_invalidate",
  "tool_progress: agent_id",
]);

/** The fields of every message in the SDK's types, by its type, or for `system` by its subtype. */
function typedMessages(): Map<string, Set<string>> {
  const messages = new Map<string, Set<string>>();
  for (const [, body = ""] of types.matchAll(/^export declare type SDK\w+ = {\n(.*?)\n};$/gms)) {
    const [, type] = /^ {4}type: '(\w+)';/m.exec(body) ?? [];
    const [, subtype] = /^ {4}subtype: '(\w+)'/m.exec(body) ?? [];
    if (type === undefined) continue;
    const name = type === "system" ? `system/${subtype}` : type;
    const fields = [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, field = ""]) => field);
    messages.set(name, new Set([...(messages.get(name) ?? []), ...fields]));
  }
  return messages;
}

const schemas = new Map(
  Object.entries(agentMessageSchemas).map(([name, { shape }]) => [name, Object.keys(shape)]),
);

describe("the types of the pinned Claude Agent SDK", () => {
  test("have every message that we read, with the fields that we read", () => {
    const typed = typedMessages();
    const lost = [...schemas].flatMap(([name, read]) => {
      const fields = typed.get(name);
      if (!fields) return [name];
      return read.flatMap((field) => (fields.has(field) ? [] : [`${name}: ${field}`]));
    });
    expect(lost.filter((word) => !untyped.has(word))).toEqual([]);
  });

  test("say nothing more than what we have looked at", async () => {
    const envelope = new Set(["type", "subtype", "uuid", "session_id"]);
    const lines = [...typedMessages()].map(([name, fields]) => {
      const read = schemas.get(name);
      const unread = [...fields].filter((field) => !envelope.has(field) && !read?.includes(field));
      const rest = unread.length > 0 ? ` [${unread.toSorted().join(" ")}]` : "";
      return `${name}: ${read ? read.join(" ") : "native"}${rest}`;
    });
    await expect(`${lines.toSorted().join("\n")}\n`).toMatchFileSnapshot(vocabulary);
  });
});
