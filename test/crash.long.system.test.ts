import { testCrashes } from "./support/crash-tests.ts";

/** `npm run soak` dies at every pass of every point, the long suite at the telling ones. */
const isSoak = process.env["TURNWIRE_SOAK"] === "1";
const allPasses = Array.from({ length: 14 }, (_, index) => index + 1);

if (isSoak) {
  const points = ["before_commit", "after_commit", "before_publish", "after_ack"];
  testCrashes(Object.fromEntries(points.map((point) => [point, allPasses])), { mayOutlive: true });
} else {
  // Creating the session, accepting, starting and ending turns, asking, answering.
  testCrashes({
    before_commit: [2, 3, 5],
    after_commit: [2, 3, 5],
    before_publish: [2, 3, 5],
    after_ack: [1, 2, 3],
  });
}
