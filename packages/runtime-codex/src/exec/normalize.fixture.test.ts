import { testRecordedStreams } from "../../../runtime/src/test-support/recorded-stream.ts";
import { execNormalizer } from "./normalize.ts";

testRecordedStreams({
  normalizer: execNormalizer,
  folder: new URL("./fixtures/", import.meta.url),
  openIn: ({ turnId, openTools }) => [...(turnId === undefined ? [] : [turnId]), ...openTools],
});
