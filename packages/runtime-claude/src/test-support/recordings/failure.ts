import { cut, gate, text } from "@turnwire/conformance/anthropic-standin";
import { isIdle } from "../recording.ts";
import { isTextDelta, type Scripts, turns } from "./script.ts";

/** Models that fail, refuse or break off. */
export const failureRecordings: Scripts = {
  "retry-overloaded": { play: turns("SCENARIO:flaky 529") },
  "error-unauthorized": {
    options: { env: { CLAUDE_CODE_MAX_RETRIES: "0" } },
    play: turns("SCENARIO:error 401", "hello"),
  },
  "error-invalid": {
    options: { env: { CLAUDE_CODE_MAX_RETRIES: "0" } },
    play: turns("SCENARIO:error 400"),
  },
  "error-rate-limit": {
    options: { env: { CLAUDE_CODE_MAX_RETRIES: "1" } },
    play: turns("SCENARIO:error 429"),
  },
  "error-max-turns": {
    options: { sdk: { maxTurns: 1 } },
    play: turns("SCENARIO:tool echo hi"),
  },
  refusal: { play: turns("SCENARIO:refusal") },
  "max-tokens": { play: turns("SCENARIO:max-tokens") },
  "stream-cut-once": { play: turns("SCENARIO:cut-once") },
  "stream-cut-late": {
    options: {
      standin: {
        scenarios: {
          late: ({ attempt }) =>
            attempt === 0
              ? [text("This half "), gate("half"), cut()]
              : [text("And now the whole.")],
        },
      },
    },
    play: async (recording) => {
      recording.send("SCENARIO:late");
      await recording.until(isTextDelta);
      recording.standin.release("half");
      await recording.until(isIdle);
    },
  },
  "stream-cut": { options: { env: { CLAUDE_CODE_MAX_RETRIES: "1" } }, play: turns("SCENARIO:cut") },
};
