import { testUiLife } from "../../../runtime/src/test-support/ui-life.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { openClaudeHost } from "../test-support/claude-session.ts";
import { use } from "../test-support/use-scenario.ts";

const place = useClaudePlace({ scenarios: { use } });

testUiLife({
  place,
  openHost: (options) => openClaudeHost(place, {}, options),
  toolName: (tool) => `mcp__turnwire__${tool}`,
  streamsInput: true,
  canFork: true,
});
