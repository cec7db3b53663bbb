import { describe, expect, test } from "vitest";
import { wireError } from "@turnwire/protocol";
import { refusalFrom, retryAfterFrom } from "./refusal.ts";

const call = { name: "GET /sessions", now: Date.parse("2026-11-15T09:00:00Z") };

describe("a refusal", () => {
  test("carries the server's own words", async () => {
    const error = wireError("session_not_found", "There is no such session.", { id: "s9" });
    const response = new Response(JSON.stringify({ error, detail: "…" }), { status: 404 });
    expect(await refusalFrom(response, call)).toMatchObject({
      code: "wire",
      status: 404,
      error,
      message: "GET /sessions was refused with 404: There is no such session.",
    });
  });

  test.each([
    ["a proxy's page", "<html>Bad Gateway</html>"],
    ["nothing", ""],
    ["null", "null"],
    ["an error of another shape", '{"error":"unauthorized"}'],
    ["an error without a code", '{"error":{"message":"no","retryable":false}}'],
  ])("without them is a protocol error with the bare status: %s", async (_name, body) => {
    const refusal = await refusalFrom(new Response(body, { status: 502 }), call);
    expect(refusal).toMatchObject({ code: "protocol", status: 502 });
    expect(refusal.error).toBeUndefined();
  });

  test("knows how long the server asked to wait", async () => {
    const response = new Response("", { status: 503, headers: { "retry-after": "7" } });
    expect(await refusalFrom(response, call)).toMatchObject({ retryAfterMs: 7_000 });
  });
});

describe("Retry-After", () => {
  test.each([
    [null, undefined],
    ["0", 0],
    ["120", 120_000],
    ["Sun, 15 Nov 2026 09:01:00 GMT", 60_000],
    ["Sun, 15 Nov 2026 08:00:00 GMT", 0],
    ["soon", undefined],
  ])("%s means %s ms", (header, expected) => {
    expect(retryAfterFrom(header, call.now)).toBe(expected);
  });
});
