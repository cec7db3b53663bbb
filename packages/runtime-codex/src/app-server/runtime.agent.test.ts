import { runtimeContract } from "@turnwire/conformance";
import { gate, text } from "@turnwire/conformance/openai-standin";
import { detach } from "@turnwire/base";
import { join } from "node:path";
import { fileEffect } from "../../../runtime/src/test-support/file-effect.ts";
import { killServers, useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace({
  standin: {
    scenarios: {
      crash: () => {
        detach(killServers(), (error) => {
          throw error;
        });
        return [text("half "), gate("never")];
      },
    },
  },
});

runtimeContract("codex", () => place.createRuntime(), {
  prompts: {
    text: "SCENARIO:text a few words",
    long: "SCENARIO:hold never",
    permission: "SCENARIO:tool touch a.txt",
    question: "SCENARIO:question",
    crash: "SCENARIO:crash",
  },
  effect: fileEffect(join(place.cwd, "a.txt")),
  canResume: true,
  run: { cwd: place.cwd },
});
