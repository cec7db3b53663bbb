import { type Scripts, turns } from "./script.ts";

/** What a person is asked, or a hook. */
export const requestRecordings: Scripts = {
  "permission-allow": { play: turns("SCENARIO:tool touch a.txt") },
  "permission-deny": { options: { onAsk: deny }, play: turns("SCENARIO:tool touch a.txt") },
  "permission-deny-interrupt": {
    options: { onAsk: async () => ({ ...(await deny()), interrupt: true }) },
    play: turns("SCENARIO:tool touch a.txt", "hello"),
  },
  "permission-denied-by-mode": {
    options: { permissionMode: "dontAsk" },
    play: turns("SCENARIO:tool touch a.txt"),
  },
  question: {
    options: {
      onAsk: async (_tool, input) => ({
        behavior: "allow",
        updatedInput: {
          ...input,
          answers: { "Which database?": "Postgres", "Which features?": "Auth, Search" },
        },
      }),
    },
    play: turns("SCENARIO:question"),
  },
  plan: { options: { permissionMode: "plan" }, play: turns("SCENARIO:plan 1. Do it well.") },
  hooks: {
    options: {
      sdk: {
        includeHookEvents: true,
        settings: {
          hooks: {
            UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo hooked" }] }],
            PostToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "exit 7" }] }],
          },
        },
      },
    },
    play: turns("SCENARIO:tool echo hi"),
  },
  "hook-block": {
    options: {
      sdk: {
        hooks: {
          UserPromptSubmit: [
            { hooks: [async () => ({ decision: "block" as const, reason: "not this one" })] },
          ],
        },
      },
    },
    play: turns("hello"),
  },
};

async function deny() {
  return { behavior: "deny" as const, message: "not today" };
}
