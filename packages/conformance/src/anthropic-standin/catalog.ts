import {
  attempts,
  cut,
  fail,
  gate,
  type Reply,
  rounds,
  type Scenario,
  stop,
  text,
  thinking,
  toolUse,
} from "./script.ts";

const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word${index + 1} `).join("");

/** Uses a tool, then says what came of it. */
function useTool(name: string, inputFrom: (argument: string) => Record<string, string>): Scenario {
  return (cue) =>
    cue.round === 0
      ? [toolUse(name, inputFrom(cue.argument))]
      : [text(`Result: ${summaryOf(cue.toolResults)}`), ...heard(cue.interjections)];
}

function summaryOf(toolResults: readonly string[]): string {
  return toolResults.join(" ").split("\n")[0]?.slice(0, 80) || "none";
}

function heard(interjections: readonly string[]): Reply {
  return interjections.map((said) => text(` Heard: ${said}`));
}

const question = {
  questions: [
    {
      question: "Which database?",
      header: "Database",
      multiSelect: false,
      options: [
        { label: "Postgres", description: "A server" },
        { label: "SQLite", description: "A file" },
      ],
    },
    {
      question: "Which features?",
      header: "Features",
      multiSelect: true,
      options: [
        { label: "Auth", description: "Who is it" },
        { label: "Search", description: "Where is it" },
      ],
    },
  ],
};

function spawnAgent(isBackground: boolean): Scenario {
  return ({ argument, round }) =>
    round === 0
      ? [
          text("I ask an agent. "),
          toolUse("Agent", {
            description: "a small task",
            prompt: argument,
            subagent_type: "general-purpose",
            run_in_background: isBackground,
          }),
        ]
      : [text(isBackground && round === 1 ? "It is on its way." : "It is back.")];
}

function statusOf(argument: string, fallback: number): number {
  return Number.parseInt(argument, 10) || fallback;
}

/** The scenarios that `SCENARIO:<name> <argument>` in a prompt starts. */
export const catalog: Readonly<Record<string, Scenario>> = {
  text: ({ argument }) => [text(argument || "Hello from the stand-in.")],
  long: ({ argument }) => [text(words(statusOf(argument, 200)))],
  thinking: ({ argument }) => [thinking("Let me think about it."), text(argument || "Thought.")],
  /** Says half, waits at the gate that the argument names, says the rest. */
  hold: ({ argument }) => [text("before the gate "), gate(argument), text("after the gate")],
  tool: useTool("Bash", (command) => ({ command, description: "a command" })),
  write: useTool("Write", (file_path) => ({ file_path, content: "written\n" })),
  read: useTool("Read", (file_path) => ({ file_path })),
  question: ({ round, toolResults }) =>
    round === 0 ? [toolUse("AskUserQuestion", question)] : [text(toolResults.join(" "))],
  plan: ({ argument, round, planFile = "plan.md" }) =>
    [
      [toolUse("Write", { file_path: planFile, content: `# Plan\n\n${argument}\n` })],
      [text("Here is my plan. "), toolUse("ExitPlanMode", {})],
    ][round] ?? [text("Planned.")],
  agent: spawnAgent(false),
  "background-agent": spawnAgent(true),
  error: ({ argument }) => [fail(statusOf(argument, 500))],
  /** Fails twice, then answers. */
  flaky: (cue) => {
    const failed = [fail(statusOf(cue.argument, 529), { "retry-after": "0" })];
    return attempts(failed, failed, [text("At last.")])(cue);
  },
  "cut-once": attempts([text("lost "), cut()], [text("whole")]),
  cut: () => [text("lost "), cut()],
  refusal: () => [text("I would rather "), stop("refusal")],
  "max-tokens": rounds([text("The first half "), stop("max_tokens")], [text("and the second.")]),
};

/** The answer to a prompt that names no scenario. */
export const echo: Scenario = ({ argument }) => [text(`You said: ${argument}`)];
