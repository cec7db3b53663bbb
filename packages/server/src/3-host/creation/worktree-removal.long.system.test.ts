import { testRemovals } from "../../1-workspace/worktree/test-support/worktree-removals.ts";

testRemovals("others");
