import { testLongSessionLife } from "../test-support/session-life.ts";
import { useCodexPlace } from "./test-support/codex-place.ts";

const place = useCodexPlace();

testLongSessionLife({ place, openHost: (options) => place.openHost({}, options) });
