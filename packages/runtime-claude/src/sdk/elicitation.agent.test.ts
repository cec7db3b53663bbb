import { useClaudePlace } from "../test-support/claude-place.ts";
import { openClaudeHost } from "../test-support/claude-session.ts";
import { lab, testElicitation } from "../test-support/elicitation-life.ts";

const place = useClaudePlace({ scenarios: { lab } });

testElicitation(() => openClaudeHost(place));
