import { type Scenario, text, toolUse } from "@turnwire/conformance/anthropic-standin";
import type { JsonObject } from "@turnwire/protocol";
import { testUiLife } from "../test-support/ui-life.ts";
import { useClaudePlace } from "./test-support/claude-place.ts";
import { openClaudeHost } from "./test-support/claude-session.ts";

/** Uses one of our tools with the input that the prompt gives, then says what came of it. */
const use: Scenario = ({ argument, round, toolResults }) => {
  const [, name = "", input = "{}"] = /^(\S+) ?(.*)$/.exec(argument) ?? [];
  return round === 0
    ? [toolUse(`mcp__turnwire__${name}`, JSON.parse(input) as JsonObject)]
    : [text(`Result: ${toolResults.join(" ")}`)];
};

const place = useClaudePlace({ scenarios: { use } });

testUiLife({
  place,
  openHost: (options) => openClaudeHost(place, {}, options),
  toolName: (tool) => `mcp__turnwire__${tool}`,
  streamsInput: true,
});
