import { describe } from "vitest";
import { testRecordedLogs } from "./test-support/recorded-logs.ts";

describe("recorded logs in stream-json", () => {
  testRecordedLogs(6);
});
