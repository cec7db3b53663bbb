import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as z from "zod";
import { TurnwireConfig } from "./config-schema.ts";
import { serveOptions } from "./serve-options.ts";

test("docs/schema has the file's schema for editors; `vitest -u` writes it", async () => {
  const schema = z.toJSONSchema(TurnwireConfig, { io: "input" });
  const path = fileURLToPath(new URL("../../../docs/schema/turnwire-config.json", import.meta.url));
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(path);
});

test("the file has every flag of turnwire serve, but those that find the file or shape its output", () => {
  const flags = Object.keys(serveOptions).filter(
    (name) => !["config", "data", "json"].includes(name),
  );
  const shape = Object.keys(TurnwireConfig.shape);
  const keys = new Set(shape.map((key) => key.replaceAll("_", "-")));
  expect(flags.filter((name) => !keys.has(name))).toEqual([]);
});
