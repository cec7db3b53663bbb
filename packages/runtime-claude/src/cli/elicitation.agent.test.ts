import { useClaudePlace } from "../test-support/claude-place.ts";
import { lab, testElicitation } from "../test-support/elicitation-life.ts";
import { openCliHost } from "./test-support/cli-host.ts";

const place = useClaudePlace({ scenarios: { lab } });

testElicitation(() => openCliHost(place));
