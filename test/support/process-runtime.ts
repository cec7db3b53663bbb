import { draft, type EventDraft, noCapabilities } from "@turnwire/protocol";
import {
  type ProcessRegistry,
  spawnAgentProcess,
  childEnvironment,
} from "@turnwire/runtime/process";
import type { Runtime } from "@turnwire/runtime";

/** The agent's whole program: takes a turn, starts a child of its own, tells both pids, never ends the turn. */
const program = `
const { spawn } = require("node:child_process");
process.stdin.once("data", () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  console.log(process.pid + " " + child.pid);
});
`;

/** A runtime with a real process behind each run, to see that none is left over. */
export function createProcessRuntime(registry: ProcessRegistry): Runtime<string, null> {
  return {
    name: "process",
    label: "Process",
    capabilities: { ...noCapabilities, interrupt: true },
    normalizer: {
      initial: () => null,
      step: (state, line) => [state, [pidNotice(line)]],
      end: () => [],
    },
    check: async () => ({ isAvailable: true }),
    async createRun({ cwd, sessionId }) {
      const agent = await spawnAgentProcess({
        command: process.execPath,
        args: ["-e", program],
        cwd,
        env: childEnvironment(["PATH"]),
        sessionId,
        registry,
        // The program never leaves by itself.
        limits: { endMs: 0 },
      });
      return {
        messages: linesOf(agent.lines),
        send: () => agent.write("go"),
        interrupt: async () => undefined,
        answer: async () => undefined,
        close: async () => {
          await agent.stop();
        },
      };
    },
  };
}

function pidNotice(line: string): EventDraft {
  return draft("notice", { level: "info", text: line });
}

async function* linesOf(
  lines: AsyncIterable<{ type: "line"; text: string } | { type: "too_long" }>,
): AsyncGenerator<string> {
  for await (const line of lines) if (line.type === "line") yield line.text;
}
