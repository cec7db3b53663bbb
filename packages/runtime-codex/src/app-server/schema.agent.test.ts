import { isObject } from "@turnwire/base";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { codexBinary } from "../setting/binary.ts";
import { itemSchemas } from "../protocol/item.ts";
import { notificationSchemas } from "../protocol/message.ts";
import { serverRequestSchemas } from "../protocol/server-request.ts";

const directory = mkdtempSync(join(tmpdir(), "turnwire-schema-"));
let schema: unknown;
const vocabulary = fileURLToPath(new URL("../fixtures/vocabulary.txt", import.meta.url));

beforeAll(() => {
  const args = ["app-server", "generate-json-schema", "--experimental", "--out", directory];
  execFileSync(codexBinary(), args, { env: { CODEX_HOME: directory } });
  const file = join(directory, "codex_app_server_protocol.schemas.json");
  schema = JSON.parse(readFileSync(file, "utf8"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The methods that we call; the vocabulary marks all others. */
const called = new Set([
  "initialize",
  "thread/start",
  "thread/resume",
  "thread/fork",
  "thread/read",
  "thread/list",
  "thread/turns/list",
  "thread/items/list",
  "thread/name/set",
  "thread/archive",
  "thread/unarchive",
  "thread/unsubscribe",
  "thread/revert",
  "thread/compact/start",
  "thread/settings/update",
  "review/start",
  "thread/backgroundTerminals/clean",
  "thread/backgroundTerminals/terminate",
  "turn/start",
  "turn/steer",
  "turn/interrupt",
  "model/list",
  "config/read",
  "account/read",
]);

const Definition = z.looseObject({
  $ref: z.string().optional(),
  enum: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
});
type Definition = z.infer<typeof Definition>;

/** A definition of the generated schema by its path, such as `v2/TurnStatus`. */
function definitionOf(path: string): Definition {
  let place = schema;
  for (const name of ["definitions", ...path.split("/")]) place = isObject(place) && place[name];
  return Definition.parse(place);
}

function propertyOf(definition: Definition, name: string): Definition {
  return Definition.parse(definition.properties?.[name] ?? {});
}

function membersOf({ oneOf = [], anyOf = [] }: Definition): Definition[] {
  return [...oneOf, ...anyOf].map((member) => Definition.parse(member));
}

function fieldsOf(definition: Definition): string[] {
  const { $ref } = definition;
  const own = $ref === undefined ? definition : definitionOf($ref.replace("#/definitions/", ""));
  return [...new Set([...Object.keys(own.properties ?? {}), ...membersOf(own).flatMap(fieldsOf)])];
}

/** The members of a union of messages, by the word that tells them apart, with the fields of their content. */
function wordsOf(union: string, word: "method" | "type"): Map<string, readonly string[]> {
  return new Map(
    membersOf(definitionOf(union)).map((member) => {
      const [name = ""] = propertyOf(member, word).enum ?? [];
      return [name, fieldsOf(word === "method" ? propertyOf(member, "params") : member)];
    }),
  );
}

type Known = Readonly<Record<string, { shape: object }>>;

/** The fields that we read and the schema lacks: they would be lost with a new version. */
function lost(known: Known, offered: ReadonlyMap<string, readonly string[]>): string[] {
  return Object.entries(known).flatMap(([name, { shape }]) => {
    const fields = offered.get(name);
    if (!fields) return [`${name} is gone`];
    // A message without content is read for where it belongs, and may lack that.
    const read = Object.keys(shape).filter((field) => field !== "threadId");
    return read.flatMap((field) => (fields.includes(field) ? [] : [`${name}: ${field} is gone`]));
  });
}

/** A line per word of the schema: the fields that we read, and in brackets those that we do not. */
function linesOf(kind: string, known: Known, offered: ReadonlyMap<string, readonly string[]>) {
  return [...offered]
    .map(([name, fields]) => {
      const shape = known[name]?.shape;
      const read = fields.filter((field) => shape && field in shape);
      const unread = fields.filter((field) => field !== "type" && !read.includes(field));
      const rest = unread.length > 0 ? ` [${unread.join(" ")}]` : "";
      return `${kind} ${name}: ${shape ? read.join(" ") : "native"}${rest}`;
    })
    .toSorted();
}

describe("the schema that the pinned Codex generates", () => {
  test("has every notification that we read, with the fields that we read", () => {
    expect(lost(notificationSchemas, wordsOf("ServerNotification", "method"))).toEqual([]);
  });

  test("has every request that we answer, with the fields that we read", () => {
    expect(lost(serverRequestSchemas, wordsOf("ServerRequest", "method"))).toEqual([]);
  });

  test("has every kind of item that we read, with its fields", () => {
    expect(lost(itemSchemas, wordsOf("v2/ThreadItem", "type"))).toEqual([]);
  });

  test("has every method that we call", () => {
    const methods = wordsOf("ClientRequest", "method");
    expect([...called].filter((method) => !methods.has(method))).toEqual([]);
  });

  test("says nothing more than what we have looked at", async () => {
    const errors = membersOf(definitionOf("v2/CodexErrorInfo")).flatMap((member) => [
      ...(member.enum ?? []),
      ...fieldsOf(member),
    ]);
    const lines = [
      ...linesOf("item", itemSchemas, wordsOf("v2/ThreadItem", "type")),
      ...linesOf("notification", notificationSchemas, wordsOf("ServerNotification", "method")),
      ...linesOf("request", serverRequestSchemas, wordsOf("ServerRequest", "method")),
      ...[...wordsOf("ClientRequest", "method").keys()]
        .map((method) => `method ${method}${called.has(method) ? "" : ": not called"}`)
        .toSorted(),
      ...errors.map((word) => `error ${word}`).toSorted(),
    ];
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(vocabulary);
  });

  test("has the words that decide how a turn, an item and a plan step stand", () => {
    const words = (name: string) => {
      const definition = definitionOf(`v2/${name}`);
      return definition.enum ?? membersOf(definition).flatMap((member) => member.enum ?? []);
    };
    expect(words("TurnStatus")).toEqual(["completed", "interrupted", "failed", "inProgress"]);
    expect(words("CommandExecutionStatus")).toEqual([
      "inProgress",
      "completed",
      "failed",
      "declined",
    ]);
    expect(words("TurnPlanStepStatus")).toEqual(["pending", "inProgress", "completed"]);
    expect(words("SubAgentActivityKind")).toEqual([
      "started",
      "interacted",
      "interrupted",
      "completed",
    ]);
  });
});
