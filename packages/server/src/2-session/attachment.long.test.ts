import { describe } from "vitest";
import { testMessageWithPicture } from "./test-support/message-with-picture.ts";

describe("a message with 20 MB", () => {
  testMessageWithPicture(20 * 1024 * 1024);
});
