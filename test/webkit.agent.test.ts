import { useClaudePlace } from "../packages/runtime-claude/src/test-support/claude-place.ts";
import { useCodexPlace } from "../packages/runtime-codex/src/test-support/codex-place.ts";
import { claudeSubject, codexSubject } from "./support/webkit-agent.ts";
import { webkitTurns } from "./support/webkit-contract.ts";

webkitTurns("Claude", claudeSubject(useClaudePlace()));
webkitTurns("Codex", codexSubject(useCodexPlace()));
