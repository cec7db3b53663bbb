import { runtimeContract } from "@turnwire/conformance";
import { gate, text } from "@turnwire/conformance/openai-standin";
import { detach } from "@turnwire/base";
import { killServers, useCodexPlace } from "./test-support/codex-place.ts";

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
  canResume: true,
  run: { cwd: place.cwd },
});
