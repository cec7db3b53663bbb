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

function optionTable(options: Command["options"]): string {
  const rows = Object.entries(options).map(
    ([name, option]) =>
      `| ${optionName(name, option)} | ${cell(meaning(option))} | ${cell(option.fallback ?? "")} | ${variable(option)} |`,
  );
  return ["| option | meaning | default | variable |", "|---|---|---|---|", ...rows].join("\n");
}

function optionName(name: string, { short, argument }: Option): string {
  const long = `\`--${name}${argument === undefined ? "" : ` ${argument}`}\``;
  return short === undefined ? long : `\`-${short}\`, ${long}`;
}

function meaning({ description, separator }: Option): string {
  return separator === undefined ? description : `${description} (repeatable)`;
}

function variable({ variable: name }: Option): string {
  return name === undefined ? "" : `\`${name}\``;
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
