import { expect, test } from "vitest";
import { reviewTargetFrom } from "./review.ts";

test.each([
  ["", { type: "uncommitted_changes" }],
  [" branch main ", { type: "base_branch", branch: "main" }],
  ["commit 1a2b3c", { type: "commit", commit: "1a2b3c" }],
  ["branch", { type: "instructions", text: "branch" }],
  [
    "the error paths of the parser",
    { type: "instructions", text: "the error paths of the parser" },
  ],
])("what follows /review names the target: %j", (text, target) => {
  expect(reviewTargetFrom(text)).toEqual(target);
});
