import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { logRequest } from "./request-log.ts";

test.each([
  [200, "debug request answered"],
  [404, "debug request answered"],
  [401, "warn request refused"],
  [503, "warn request refused"],
  [500, "error request failed"],
])("a request that is answered with %i is logged as %s", (status, expected) => {
  const lines: string[] = [];
  const level = (name: string) => (facts: { address?: unknown }, text?: string) =>
    lines.push(`${name} ${text} ${String(facts.address)}`);
  const logger = {
    debug: level("debug"),
    info: level("info"),
    warn: level("warn"),
    error: level("error"),
  };
  const incoming = new IncomingMessage(new Socket());
  logRequest(logger, { incoming, status, route: "/health", address: "203.0.113.7" });
  expect(lines).toEqual([`${expected} 203.0.113.7`]);
});
