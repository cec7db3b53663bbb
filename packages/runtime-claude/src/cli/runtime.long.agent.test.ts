import { runtimeContract } from "@turnwire/conformance";
import { gate } from "@turnwire/conformance/anthropic-standin";
import { detach } from "@turnwire/base";
import { join } from "node:path";
import { killAgents, useClaudePlace } from "../test-support/claude-place.ts";
import { fileEffect } from "../../../runtime/src/test-support/file-effect.ts";
import { claudeCli } from "./runtime.ts";

const place = useClaudePlace({
  scenarios: {
    crash: () => {
      detach(killAgents(), (error) => {
        throw error;
      });
      return [gate("never")];
    },
  },
});

runtimeContract("claude-cli", () => claudeCli({ env: place.env, model: "claude-opus-5-5" }), {
  prompts: {
    text: "SCENARIO:text a few words",
    long: "SCENARIO:hold never",
    permission: "SCENARIO:tool touch a.txt",
    question: "SCENARIO:question",
    crash: "SCENARIO:crash",
  },
  edit: { input: { command: "echo by-a-person" }, trace: "by-a-person" },
  effect: fileEffect(join(place.cwd, "a.txt")),
  canResume: true,
  run: { cwd: place.cwd },
});
