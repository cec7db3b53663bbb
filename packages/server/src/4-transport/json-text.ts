import { accepted, rejected, type Result } from "../2-session/result.ts";

const MAX_DEPTH = 64;

/** Parses JSON from outside: UTF-8 only, at most 64 levels deep, without keys that reach prototypes. */
export function jsonFromBytes(bytes: Uint8Array): Result<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "not UTF-8";
    return rejected("invalid_request", `The body is not JSON: ${reason}`);
  }
  const problem = problemIn(value);
  return problem ? rejected("invalid_request", problem) : accepted(value);
}

/** Walks without recursion: deep input must not be able to end the process. */
function problemIn(root: unknown): string | undefined {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, depth } = item;
    if (typeof value !== "object" || value === null) continue;
    if (depth > MAX_DEPTH) return `The body is nested deeper than ${MAX_DEPTH} levels.`;
    if (Object.hasOwn(value, "__proto__")) return 'The key "__proto__" is not allowed.';
    for (const child of Object.values(value)) open.push({ value: child, depth: depth + 1 });
  }
  return undefined;
}
