import { testRecordedStreams } from "../../../runtime/src/test-support/recorded-stream.ts";
import { claudeNormalizer } from "./normalize.ts";

testRecordedStreams({
  normalizer: claudeNormalizer,
  folder: new URL("../fixtures/", import.meta.url),
  openIn: ({ turn, messages, tools }) => [...(turn ? [turn] : []), ...messages, ...tools],
  strangers: ["prompt_suggestion"],
});
