import { useClaudePlace } from "../packages/runtime-claude/src/test-support/claude-place.ts";
import { useCodexPlace } from "../packages/runtime-codex/src/test-support/codex-place.ts";
import { claudeSubject, codexSubject } from "./support/webkit-agent.ts";
import { webkitDelivery, webkitFailures } from "./support/webkit-contract.ts";

webkitDelivery("Claude", claudeSubject(useClaudePlace()));
webkitDelivery("Codex", codexSubject(useCodexPlace()));

const failures = [400, 401, 403, 404, 429, 500, 529].map((status) => `SCENARIO:error ${status}`);
webkitFailures("Claude", claudeSubject(useClaudePlace()), failures);
webkitFailures("Codex", codexSubject(useCodexPlace()), failures);
