import { testAttacks } from "../../../../workspace/src/worktree/test-support/worktree-attacks.ts";

testAttacks("others");
