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

// Without a prompt for `long`: exec gives no text before it is whole.
runtimeContract("codex-exec", () => place.createExecRuntime(), {
  prompts: {
    text: "SCENARIO:text a few words",
    tool: "SCENARIO:tool touch a.txt",
    crash: "SCENARIO:crash",
  },
  effect: fileEffect(join(place.cwd, "a.txt")),
  refusesTurns: true,
  canResume: true,
  run: { cwd: place.cwd, permissionMode: "full-access" },
});
