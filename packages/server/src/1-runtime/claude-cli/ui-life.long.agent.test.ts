import { useClaudePlace } from "../claude/test-support/claude-place.ts";
import { use } from "../claude/test-support/use-scenario.ts";
import { testUiLife } from "../test-support/ui-life.ts";
import { openCliHost } from "./test-support/cli-host.ts";

const place = useClaudePlace({ scenarios: { use } });

testUiLife({
  place,
  openHost: (options) => openCliHost(place, options),
  toolName: (tool) => `mcp__turnwire__${tool}`,
  streamsInput: true,
  canFork: false,
});
