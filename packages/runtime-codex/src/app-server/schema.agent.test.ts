import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codexBinary } from "../setting/binary.ts";
import { itemSchemas } from "../protocol/item.ts";
import { notificationSchemas } from "../protocol/message.ts";
import { serverRequestSchemas } from "../protocol/server-request.ts";

const directory = mkdtempSync(join(tmpdir(), "turnwire-schema-"));

beforeAll(() => {
  const args = ["app-server", "generate-ts", "--experimental", "--out", directory];
  execFileSync(codexBinary(), args, { env: { CODEX_HOME: directory } });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function generated(name: string): string {
  return readFileSync(join(directory, `${name}.ts`), "utf8");
}

/** The methods of a union of messages, with the name of the type of their parameters. */
function methodsOf(union: string): Map<string, string> {
  const members = generated(union).matchAll(/"method": "([^"]+)",[^}]*?"?params"?: (\w+)/g);
  return new Map([...members].map(([, method = "", params = ""]) => [method, params]));
}

/** The words that stand as a field in a type or in a union of types. */
function fieldsOf(source: string): Set<string> {
  return new Set([...source.matchAll(/"?(\w+)"?\??:/g)].map(([, field = ""]) => field));
}

/** Methods that another schema names, and fields that it does not. */
function drift(
  schemas: Readonly<Record<string, { shape: object }>>,
  methods: ReadonlyMap<string, string>,
): string[] {
  return Object.entries(schemas).flatMap(([method, { shape }]) => {
    const params = methods.get(method);
    if (params === undefined) return [`${method} is gone`];
    const fields = fieldsOf(generated(`v2/${params}`));
    const lost = Object.keys(shape).filter((field) => !fields.has(field));
    return lost.map((field) => `${method}: ${field} is gone`);
  });
}

describe("the schema that the pinned Codex generates", () => {
  test("has every notification that we read, with the fields that we read", () => {
    const quiet = new Set(["threadId"]);
    const schemas = Object.fromEntries(
      Object.entries(notificationSchemas).map(([method, { shape }]) => {
        const isQuiet = Object.keys(shape).every((field) => quiet.has(field));
        return [method, { shape: isQuiet ? {} : shape }];
      }),
    );
    expect(drift(schemas, methodsOf("ServerNotification"))).toEqual([]);
  });

  test("has every request that we answer, with the fields that we read", () => {
    expect(drift(serverRequestSchemas, methodsOf("ServerRequest"))).toEqual([]);
  });

  test("has every kind of item that we read, with its fields", () => {
    const others = ["WebSearchItem", "ImageGenerationItem", "SleepItem"].map(generated).join("\n");
    const union = generated("v2/ThreadItem");
    const fields = fieldsOf(union + others);
    const lost = Object.entries(itemSchemas).flatMap(([type, { shape }]) => [
      ...(union.includes(`"type": "${type}"`) ? [] : [`${type} is gone`]),
      ...Object.keys(shape).flatMap((field) =>
        fields.has(field) ? [] : [`${type}: ${field} is gone`],
      ),
    ]);
    expect(lost).toEqual([]);
  });

  test("has every method that we call", () => {
    const methods = generated("ClientRequest");
    const called = [
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
      "thread/backgroundTerminals/clean",
      "thread/backgroundTerminals/terminate",
      "turn/start",
      "turn/steer",
      "turn/interrupt",
      "model/list",
      "config/read",
    ];
    expect(called.filter((method) => !methods.includes(`"method": "${method}"`))).toEqual([]);
  });

  test("has the words that decide how a turn, an item and a plan step stand", () => {
    const words = (name: string) =>
      [...generated(`v2/${name}`).matchAll(/"(\w+)"/g)].map(([, word]) => word);
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
