import { type Scenario, text, toolUse } from "@turnwire/conformance/anthropic-standin";
import type { JsonObject } from "@turnwire/protocol";

/** Uses one of our tools with the input that the prompt gives, then says what came of it. */
export const use: Scenario = ({ argument, round, toolResults }) => {
  const [, name = "", input = "{}"] = /^(\S+) ?(.*)$/.exec(argument) ?? [];
  return round === 0
    ? [toolUse(`mcp__turnwire__${name}`, JSON.parse(input) as JsonObject)]
    : [text(`Result: ${toolResults.join(" ")}`)];
};
