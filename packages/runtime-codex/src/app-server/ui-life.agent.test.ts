import { call, type Scenario, text } from "@turnwire/conformance/openai-standin";
import type { JsonObject } from "@turnwire/protocol";
import { testUiLife } from "../../../runtime/src/test-support/ui-life.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";

/** Uses one of our tools with the input that the prompt gives, then says what came of it. */
const use: Scenario = ({ argument, round, toolOutputs }) => {
  const [, name = "", input = "{}"] = /^(\S+) ?(.*)$/.exec(argument) ?? [];
  return round === 0
    ? [call(name, JSON.parse(input) as JsonObject, "turnwire")]
    : [text(`Result: ${toolOutputs.at(-1)}`)];
};

const place = useCodexPlace({ standin: { scenarios: { use } } });

testUiLife({
  place,
  openHost: (options) => place.openHost({}, options),
  toolName: (tool) => `turnwire.${tool}`,
  streamsInput: false,
  canFork: true,
});
