import * as anthropic from "@turnwire/conformance/anthropic-standin";
import * as openai from "@turnwire/conformance/openai-standin";
import type { StandinAgents } from "./standin-agents.ts";

/**
 * A task that takes two attempts. The worker writes a misspelt greeting into the file that the task
 * names; the reviewer reads the file and refuses that, with a note of what to do; the worker does
 * what the note says.
 */
export function loopTask(path: string): string {
  return `SCENARIO:greet ${path}`;
}

const correction = (path: string): string => `It is misspelt.\nSCENARIO:correct ${path}\nFAIL`;

/** A reviewer's prompt has the task in it: the same mark plays the other part there. */
function verdictOn(output: string, path: string): string {
  return output.includes("hello") ? "It says hello.\nPASS" : correction(path);
}

export function teachWorkByClaude({ anthropic: claude, openai: codex }: StandinAgents): void {
  claude.scenario("greet", ({ argument, round }) =>
    round === 0
      ? [anthropic.toolUse("Write", { file_path: argument, content: "helo\n" })]
      : [anthropic.text("I wrote it.\nDONE")],
  );
  claude.scenario("correct", ({ argument, round }) =>
    round === 0
      ? [anthropic.toolUse("Bash", { command: `echo hello > ${argument}`, description: "mend" })]
      : [anthropic.text("I corrected it.\nDONE")],
  );
  codex.scenario("greet", ({ argument, round, toolOutputs }) =>
    round === 0
      ? [openai.call("exec_command", { cmd: `cat ${argument}` })]
      : [openai.text(verdictOn(toolOutputs.join("\n"), argument))],
  );
}

export function teachWorkByCodex({ anthropic: claude, openai: codex }: StandinAgents): void {
  codex.scenario("greet", ({ argument, round }) =>
    round === 0
      ? [openai.patch(`*** Add File: ${argument}`, "+helo")]
      : [openai.text("I wrote it.\nDONE")],
  );
  codex.scenario("correct", ({ argument, round }) =>
    round === 0
      ? [openai.call("exec_command", { cmd: `echo hello > ${argument}` })]
      : [openai.text("I corrected it.\nDONE")],
  );
  claude.scenario("greet", ({ argument, round, toolResults }) =>
    round === 0
      ? [anthropic.toolUse("Bash", { command: `cat ${argument}`, description: "look" })]
      : [anthropic.text(verdictOn(toolResults.join("\n"), argument))],
  );
}
