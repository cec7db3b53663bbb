import type { Command } from "./command.ts";
import type { Option } from "../option/option.ts";
import { definitionLines } from "../terminal/definition.ts";
import type { Format } from "../terminal/format.ts";
import { wrap } from "../terminal/wrap.ts";

const COLUMN = 30;

function entry(term: string, meaning: string, format: Format): string[] {
  return definitionLines(term, meaning, { format, column: COLUMN });
}

function optionEntry(name: string, option: Option, format: Format): string[] {
  const short = option.short === undefined ? "" : `-${option.short}, `;
  const left = `${short}--${name}${option.argument === undefined ? "" : ` ${option.argument}`}`;
  const notes = [
    option.separator === undefined ? "" : "repeatable",
    option.fallback === undefined ? "" : `default: ${option.fallback}`,
    option.variable ?? "",
  ].filter(Boolean);
  const note = notes.length > 0 ? format.colors.dim(` [${notes.join("; ")}]`) : "";
  return entry(left, option.description + note, format);
}

/** The whole program on one screen. */
export function programHelp(commands: readonly Command[], format: Format): string {
  const { bold, dim } = format.colors;
  return [
    "Turnwire runs coding agents as durable sessions and serves them to any number of clients.",
    "",
    bold("Usage"),
    "  turnwire [command] [options]",
    "",
    bold("Commands"),
    ...commands.flatMap((command) => entry(command.name, command.summary, format)),
    ...entry("help COMMAND", "Explain a command, with examples", format),
    "",
    bold("Start here"),
    ...entry("turnwire chat", "Talk to the demo agent; needs no key and no server", format),
    ...entry("turnwire serve", "Start the server and get a link for the browser", format),
    ...entry("turnwire doctor", "See what works on this machine", format),
    "",
    dim(
      "Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 the turn failed, 4 waiting for a person, 5 a limit was reached, 6 not done.",
    ),
    "",
  ].join("\n");
}

/** One command, with its options and examples. */
export function commandHelp(command: Command, format: Format): string {
  const { bold, dim } = format.colors;
  const options = Object.entries(command.options);
  const details = command.details?.split("\n") ?? [];
  const lines = [
    `turnwire ${command.name}: ${command.summary}`,
    "",
    bold("Usage"),
    ...command.usage.map((usage) => `  turnwire ${usage}`),
    "",
    ...details.flatMap((paragraph) => wrap(paragraph, Math.min(format.width, 100))),
    ...(details.length > 0 ? [""] : []),
    bold("Options"),
    ...options.flatMap(([name, option]) => optionEntry(name, option, format)),
    ...entry("-h, --help", "Show this text", format),
    "",
    bold("Examples"),
    ...command.examples.flatMap(({ command: line, meaning }) => [
      `  ${line}`,
      `      ${dim(meaning)}`,
    ]),
    "",
  ];
  return lines.join("\n");
}
