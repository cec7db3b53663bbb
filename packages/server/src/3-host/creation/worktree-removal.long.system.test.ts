import { testRemovals } from "../../../../workspace/src/worktree/test-support/worktree-removals.ts";

testRemovals("others");
