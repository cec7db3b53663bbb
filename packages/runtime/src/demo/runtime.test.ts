import { runtimeContract } from "@turnwire/conformance";
import { createDemoRuntime } from "./runtime.ts";

runtimeContract("demo", () => createDemoRuntime({ delayMs: 0 }), {
  prompts: {
    text: "hello",
    long: "/slow",
    permission: "/permission",
    question: "/question",
    crash: "/crash",
  },
  edit: { input: { command: "echo edited-by-a-person" }, trace: "edited-by-a-person" },
  canResume: true,
});
