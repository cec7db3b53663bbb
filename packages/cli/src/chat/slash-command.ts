import type { Capabilities } from "@turnwire/protocol";
import { didYouMean } from "../error/suggestion.ts";
import { definitionLines } from "../terminal/definition.ts";
import type { Format } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";

interface SlashText {
  readonly argument?: string;
  readonly description: string;
}

/** What the chat itself can do; everything else that starts with / goes to the agent. */
const slashCommands = {
  help: { description: "Show this list" },
  sessions: { description: "List sessions" },
  new: { argument: "[TITLE]", description: "Start a new session" },
  open: { argument: "ID", description: "Continue another session" },
  model: { argument: "[MODEL]", description: "Show or change the model" },
  effort: { argument: "[LEVEL]", description: "Show or change how much the agent thinks" },
  mode: { argument: "[MODE]", description: "Show or change what the agent may do without asking" },
  policy: {
    argument: "[MODE]",
    description: "Show or change the policy mode: what the agent may do at all; none for no policy",
  },
  allowed: {
    argument: "[NUMBER]",
    description: "List what is always allowed in this session, or revoke one of them",
  },
  budget: {
    argument: "[LIMITS]",
    description: "Show or change how much the session may use; none takes the limits away",
  },
  limits: {
    description: "Show the agent's account, how much of its limits is used, and when they reset",
  },
  context: { description: "Show what fills the agent's context" },
  servers: {
    argument: "[NAME]",
    description: "List the agent's MCP servers, or connect one of them again",
  },
  stop: { argument: "[TASK]", description: "Stop the running turn, or a background task" },
  rename: { argument: "TITLE", description: "Rename the session" },
  fork: { argument: "[TITLE]", description: "Continue in a copy of this session" },
  compact: { argument: "[HINT]", description: "Summarize the conversation to free context" },
  review: {
    argument: "[WHAT]",
    description:
      "Have changes reviewed: those not committed, branch NAME, commit ID, or what you describe",
  },
  quit: { description: "Leave the chat; the session is kept" },
} as const satisfies Record<string, SlashText>;

type SlashName = keyof typeof slashCommands;

/** What a line that a person typed asks for. */
export type Intent =
  | { readonly type: "nothing" }
  | { readonly type: "message"; readonly text: string }
  | { readonly type: "steer"; readonly text: string }
  | { readonly type: "slash"; readonly name: SlashName; readonly argument: string }
  | { readonly type: "unknown"; readonly hint: string };

type Offered = Pick<Capabilities, "slash_commands" | "review">;

function isSlashName(name: string): name is SlashName {
  return Object.hasOwn(slashCommands, name);
}

/** An agent without reviews may have a command of that name itself. */
function isOwn(name: string, { review }: Offered): name is SlashName {
  return isSlashName(name) && (name !== "review" || review);
}

function ownNames(capabilities: Offered): string[] {
  return Object.keys(slashCommands).filter((name) => isOwn(name, capabilities));
}

/** Reads a line: `/name` is a command of the chat or of the agent, `!text` goes into the running turn. */
export function intentOf(line: string, capabilities: Offered): Intent {
  const text = line.trim();
  if (text === "") return { type: "nothing" };
  if (text.startsWith("!") && text.length > 1) return { type: "steer", text: text.slice(1).trim() };
  const [, name, argument = ""] = /^\/([a-z][\w:-]*)(?:\s+([^]*))?$/i.exec(text) ?? [];
  if (name === undefined) return { type: "message", text: line };
  if (isOwn(name, capabilities)) return { type: "slash", name, argument: argument.trim() };
  if (name === "exit" || name === "q") return { type: "slash", name: "quit", argument: "" };
  const known = capabilities.slash_commands.map((command) => command.name);
  if (known.length === 0 || known.includes(name)) return { type: "message", text: line };
  const suggestion = didYouMean(name, [...ownNames(capabilities), ...known], "/");
  return { type: "unknown", hint: `There is no /${name}.${suggestion} See /help.` };
}

const HELP_COLUMN = 22;

/** The lines of /help: what the chat can do, then what the agent can. */
export function helpLines(capabilities: Offered, format: Format): string[] {
  const entry = (term: string, meaning: string): string[] =>
    definitionLines(term, meaning, { format, column: HELP_COLUMN });
  const own = Object.entries<SlashText>(slashCommands)
    .filter(([name]) => isOwn(name, capabilities))
    .flatMap(([name, text]) =>
      entry(`/${name}${text.argument === undefined ? "" : ` ${text.argument}`}`, text.description),
    );
  const agent = capabilities.slash_commands
    .filter(({ name }) => !isOwn(name, capabilities))
    .flatMap(({ name, description = "" }) => entry(`/${safeLine(name)}`, safeLine(description)));
  return [
    ...own,
    ...entry("!TEXT", "Send a message into the running turn; plain text is queued"),
    ...entry("LINE\\", "Continue on the next line"),
    ...entry("Ctrl-C", "Stop the running turn; twice: leave"),
    ...(agent.length > 0 ? ["Commands of the agent:", ...agent] : []),
  ];
}

/** What Tab can make of a line. */
export function completionsFor(line: string, capabilities: Offered): string[] {
  if (!line.startsWith("/") || line.includes(" ")) return [];
  const names = new Set([
    ...ownNames(capabilities),
    ...capabilities.slash_commands.map(({ name }) => name),
  ]);
  return [...names].map((name) => `/${name}`).filter((name) => name.startsWith(line));
}
