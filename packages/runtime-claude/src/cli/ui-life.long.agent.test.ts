import { useClaudePlace } from "../test-support/claude-place.ts";
import { use } from "../test-support/use-scenario.ts";
import { testUiLife } from "../../../runtime/src/test-support/ui-life.ts";
import { openCliHost } from "./test-support/cli-host.ts";

const place = useClaudePlace({ scenarios: { use } });

testUiLife({
  place,
  openHost: (options) => openCliHost(place, options),
  toolName: (tool) => `mcp__turnwire__${tool}`,
  streamsInput: true,
  canFork: false,
});
