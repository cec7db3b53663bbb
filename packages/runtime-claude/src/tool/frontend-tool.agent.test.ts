import { useClaudePlace } from "../test-support/claude-place.ts";
import { openClaudeHost } from "../test-support/claude-session.ts";
import { testFrontendTools } from "../test-support/frontend-tool-life.ts";
import { use } from "../test-support/use-scenario.ts";

const place = useClaudePlace({ scenarios: { use } });

testFrontendTools({
  place,
  createRuntime: () => place.createRuntime(),
  openHost: () => openClaudeHost(place),
});
