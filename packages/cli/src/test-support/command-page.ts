import type { Command } from "../program/command.ts";
import type { Option } from "../option/option.ts";

const MARKED = /<!-- generated: commands -->\n[^]*?<!-- end -->/;

/** The page of the command line with its generated part made from the commands. */
export function fillCommandPage(page: string, commands: readonly Command[]): string {
  if (!MARKED.test(page)) throw new Error("The page has no generated part for the commands.");
  const sections = [summary(commands), ...commands.map(section)];
  const text = `<!-- generated: commands -->\n\n${sections.join("\n\n")}\n\n<!-- end -->`;
  return page.replace(MARKED, () => text);
}

function summary(commands: readonly Command[]): string {
  const rows = commands.map(
    ({ name, summary }) => `| [\`${name}\`](#${name}) | ${cell(summary)} |`,
  );
  return ["| command | what it does |", "|---|---|", ...rows].join("\n");
}

function section({ name, summary, usage, details, options, examples }: Command): string {
  const calls = usage.map((call) => `turnwire ${call}`).join("\n");
  const shown = examples.map(({ command, meaning }) => `# ${meaning}\n${command}`).join("\n");
  return [
    `## ${name}`,
    `${summary}.`,
    fenced("", calls),
    ...(details?.split("\n").map(escaped) ?? []),
    optionTable(options),
    fenced("sh", shown),
  ].join("\n\n");
}

/** What is said of each option; a column that is empty for all of a command's is left out. */
const columns: Readonly<Record<string, (name: string, option: Option) => string>> = {
  option: optionName,
  meaning: (_, option) => cell(meaning(option)),
  default: (_, { fallback = "" }) => cell(fallback),
  variable: (_, { variable }) => code(variable),
  "in the file": (_, { key }) => code(key),
};

function optionTable(options: Command["options"]): string {
  const entries = Object.entries(options);
  const filled = Object.entries(columns)
    .map(([title, read]) => [title, ...entries.map(([name, option]) => read(name, option))])
    .filter(([, ...cells]) => cells.some((text) => text !== ""));
  const [titles = "", ...rows] = ["", ...entries].map((_, row) => {
    return `| ${filled.map((column) => column[row]).join(" | ")} |`;
  });
  return [titles, `|${"---|".repeat(filled.length)}`, ...rows].join("\n");
}

function optionName(name: string, { short, argument }: Option): string {
  const long = `\`--${name}${argument === undefined ? "" : ` ${argument}`}\``;
  return short === undefined ? long : `\`-${short}\`, ${long}`;
}

function meaning({ description, separator, variable }: Option): string {
  if (separator === undefined) return description;
  const way = separator === "," ? "with commas" : "like PATH";
  return `${description} (repeatable${variable === undefined ? "" : `; the variable lists them ${way}`})`;
}

function code(text: string | undefined): string {
  return text === undefined ? "" : `\`${text}\``;
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Text of a terminal may have characters that mean something in Markdown. */
function escaped(text: string): string {
  return text.replaceAll(/[*_<>]/g, "\\$&");
}

function cell(text: string): string {
  return escaped(text).replaceAll("|", "\\|");
}
