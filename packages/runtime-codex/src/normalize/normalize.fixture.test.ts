import { testRecordedStreams } from "../../../runtime/src/test-support/recorded-stream.ts";
import { codexNormalizer } from "./normalize.ts";

testRecordedStreams({
  normalizer: codexNormalizer,
  folder: new URL("../fixtures/", import.meta.url),
  openIn: ({ turn, speeches, tools, early }) => [
    ...(turn ? [turn] : []),
    ...speeches,
    ...tools,
    ...early,
  ],
  // A session sends no turn before the one before it has ended.
  isFrame: ({ method }) =>
    typeof method === "string" && /^(turnwire\/.*|turn\/completed)$/.test(method),
});
