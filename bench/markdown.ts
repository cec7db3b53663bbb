/**
 * CPU ms for Markdown that grows by 5,000 deltas, beside parsing the whole text again for each.
 * Whole parses are done for every 50th delta and counted 50 times: all of them would take minutes.
 */
import { createMarkdownStream, parseMarkdown } from "@turnwire/markdown";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { median, publish, round, type Row } from "./report.ts";

const deltas = 5_000;
const deltaLength = 8;
const sampling = 50;
const rounds = 3;

const section = `## What was found

The **fold** kept \`state.blocks\` in order, see [the log](https://example.com/log) and *this list*:

- first, with \`code\` and some **strong words**
- second, with a [link](https://example.com)
  1. nested
  2. nested again

| file | lines |
|------|------:|
| a.ts | 12 |
| b.ts | 340 |

\`\`\`ts
export function parse(text: string): readonly Block[] {
  return createMarkdownStream().update(text, { isComplete: true });
}
\`\`\`

`;

const workloads: Readonly<Record<string, string>> = {
  "an agent's answer": repeated(section),
  "one open code block": `\`\`\`ts\n${repeated("const value = compute(1, 2);\n")}`,
  "one long list": repeated("- an item with **strong** words and `code`\n"),
};

interface Way {
  readonly name: string;
  readonly step: number;
  readonly run: (texts: readonly string[]) => void;
}

const ways: readonly Way[] = [
  {
    name: "our stream",
    step: 1,
    run: (texts) => {
      const stream = createMarkdownStream();
      for (const text of texts) stream.update(text);
    },
  },
  {
    name: "our parser, whole text each time",
    step: sampling,
    run: (texts) => {
      for (const text of texts) parseMarkdown(text);
    },
  },
  {
    name: "mdast-util-from-markdown with GFM, whole text each time",
    step: sampling,
    run: (texts) => {
      const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };
      for (const text of texts) fromMarkdown(text, options);
    },
  },
];

function repeated(text: string): string {
  return text.repeat(Math.ceil((deltas * deltaLength) / text.length));
}

function textsOf(text: string, step: number): readonly string[] {
  return Array.from({ length: deltas / step }, (_, index) =>
    text.slice(0, (index + 1) * step * deltaLength),
  );
}

function milliseconds(way: Way, text: string): number {
  const texts = textsOf(text, way.step);
  const figures = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    way.run(texts);
    const { user, system } = process.cpuUsage(before);
    return ((user + system) / 1_000) * way.step;
  });
  return median(figures);
}

function measure([workload, text]: [string, string]): Row[] {
  const figures = ways.map((way) => ({ way: way.name, figure: milliseconds(way, text) }));
  const ours = figures[0]?.figure ?? Number.NaN;
  return figures.map(({ way, figure }) => ({
    workload,
    way,
    "CPU ms": round(figure, 0),
    "ratio to our stream": round(figure / ours, 1),
  }));
}

const title = `Markdown that grows by ${deltas} deltas of ${deltaLength} characters`;
publish("markdown", [{ title, rows: Object.entries(workloads).flatMap(measure) }]);
