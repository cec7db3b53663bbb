import { testLongSessionLife } from "../../../runtime/src/test-support/session-life.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { openClaudeHost } from "../test-support/claude-session.ts";

const place = useClaudePlace();

testLongSessionLife({ place, openHost: (options) => openClaudeHost(place, {}, options) });
