import { createClient, type TurnwireClient } from "@turnwire/client";
import { inject } from "vitest";

/** A client of the demo server. */
export function demoClient(): TurnwireClient {
  return createClient({ ...inject("demo"), transport: "sse", random: () => 0, lingerMs: 0 });
}
