import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as z from "zod";
import { TurnwireConfig } from "./config-schema.ts";

test("docs/schema has the file's schema for editors; `vitest -u` writes it", async () => {
  const schema = z.toJSONSchema(TurnwireConfig, { io: "input" });
  const path = fileURLToPath(
    new URL("../../../../docs/schema/turnwire-config.json", import.meta.url),
  );
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(path);
});
