import { testAttacks } from "./test-support/worktree-attacks.ts";

testAttacks("others");
