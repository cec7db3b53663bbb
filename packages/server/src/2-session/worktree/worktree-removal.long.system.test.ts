import { testRemovals } from "./test-support/worktree-removals.ts";

testRemovals("others");
