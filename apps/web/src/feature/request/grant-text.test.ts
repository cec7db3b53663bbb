import { expect, test } from "vitest";
import { grantText } from "./grant-text.ts";

const grant = { grant_id: "g", tool_name: "shell", granted_at: "" };

test.each([
  [{ type: "acceptForSession", command: "npm test" }, "Run: npm test"],
  [{ type: "acceptForSession", files: ["a.ts", "b.ts"] }, "Change a.ts, b.ts"],
  [{ type: "acceptForSession" }, "Uses of shell like the one you allowed"],
  [{ type: "addRules", rules: [{ toolName: "Bash" }] }, "Every use of Bash"],
])("%o reads as %s", (permission, text) => {
  expect(grantText({ ...grant, permission })).toBe(text);
});
