import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { PolicyFile } from "./mode.ts";

test("docs/schema has the policy file's schema for editors; `vitest -u` writes it", async () => {
  const schema = z.toJSONSchema(PolicyFile, { io: "input" });
  const path = fileURLToPath(new URL("../../../docs/schema/policy-file.json", import.meta.url));
  await expect(
    `${JSON.stringify({ title: "PolicyFile", ...schema }, null, 2)}\n`,
  ).toMatchFileSnapshot(path);
});
