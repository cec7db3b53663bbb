import { runtimeContract } from "@turnwire/conformance";
import { demo } from "./runtime.ts";

runtimeContract("demo", () => demo({ delayMs: 0 }), {
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
