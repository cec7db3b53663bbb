import type * as z from "zod";
import type { JsonValue } from "./json.ts";
import { limits } from "./limit.ts";
import { accepted, rejected, type Result } from "./result.ts";
import type { WireErrorCode } from "./wire-error.ts";

/** Parses foreign input; a rejection lists what is wrong and where, in `details.issues`. */
export function validate<Value>(
  schema: z.ZodType<Value>,
  input: unknown,
  code: WireErrorCode = "invalid_request",
): Result<Value> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return accepted(parsed.data);
  const issues = parsed.error.issues.slice(0, limits.validationIssues).map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issue.message,
  }));
  const [first] = issues;
  const place = first?.path ? `${first.path}: ` : "";
  return rejected(code, `${place}${first?.message ?? "not valid"}`, {
    issues: issues satisfies JsonValue,
  });
}
