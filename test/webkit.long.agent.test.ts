import { useClaudePlace } from "../packages/runtime-claude/src/test-support/claude-place.ts";
import { useCodexPlace } from "../packages/runtime-codex/src/test-support/codex-place.ts";
import { claudeSubject, codexSubject } from "./support/webkit-agent.ts";
import { webkitDelivery } from "./support/webkit-contract.ts";

webkitDelivery("Claude", claudeSubject(useClaudePlace()));
webkitDelivery("Codex", codexSubject(useCodexPlace()));
