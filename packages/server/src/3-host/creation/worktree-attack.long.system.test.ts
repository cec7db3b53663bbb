import { testAttacks } from "../../1-workspace/worktree/test-support/worktree-attacks.ts";

testAttacks("others");
