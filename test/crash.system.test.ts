import { testCrashes } from "./support/crash-tests.ts";

// Accepting a message, starting its turn, a request that is asked, a message that waits behind it.
testCrashes({ before_commit: [3], after_commit: [2], before_publish: [5], after_ack: [3] });
