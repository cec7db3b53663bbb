import { useClaudePlace } from "../packages/server/src/1-runtime/claude/test-support/claude-place.ts";
import { useCodexPlace } from "../packages/server/src/1-runtime/codex/test-support/codex-place.ts";
import { claudeSubject, codexSubject } from "./support/webkit-agent.ts";
import { webkitDelivery } from "./support/webkit-contract.ts";

webkitDelivery("Claude", claudeSubject(useClaudePlace()));
webkitDelivery("Codex", codexSubject(useCodexPlace()));
