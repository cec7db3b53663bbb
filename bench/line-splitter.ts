/**
 * MB per CPU second from an agent's output bytes to parsed objects, four ways in one run.
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { LineSplitter } from "../packages/runtime/src/process/line-splitter.ts";
import { publish, round, type Row } from "./report.ts";

interface Workload {
  readonly name: string;
  readonly lines: readonly string[];
}

interface Way {
  readonly name: string;
  /** Parses everything and answers how many objects it saw. */
  readonly parse: (input: Input) => number | Promise<number>;
}

interface Input {
  readonly lines: readonly string[];
  readonly chunks: readonly Buffer[];
}

const chunkBytes = 64 * 1024;
const rounds = 7;

const workloads: readonly Workload[] = [
  { name: "small (200 B)", lines: repeat(40_000, () => lineOf("a few words ", 12)) },
  { name: "mixed (2 KB)", lines: repeat(6000, mixedLine) },
  { name: "one line (5 MB)", lines: [lineOf("long output of a tool ", 238_000)] },
];

const ways: readonly Way[] = [
  { name: "JSON.parse alone", parse: ({ lines }) => parseAll(lines) },
  { name: "LineSplitter", parse: parseWithSplitter },
  { name: "readline", parse: parseWithReadline },
  { name: "str += and split", parse: parseWithString },
];

function lineOf(words: string, times: number): string {
  return JSON.stringify({ type: "stream_event", uuid: "0f3c", text: words.repeat(times) });
}

/** Mostly short ASCII, every eighth line in other scripts, every tenth long. */
function mixedLine(index: number): string {
  const words = index % 8 === 0 ? "wörds 漢字 😀 " : "words and code; ";
  return lineOf(words, index % 10 === 0 ? 1000 : 14);
}

function parseAll(lines: readonly string[]): number {
  for (const line of lines) JSON.parse(line);
  return lines.length;
}

function parseWithSplitter({ chunks }: Input): number {
  const splitter = new LineSplitter();
  let count = 0;
  for (const chunk of chunks) {
    for (const line of splitter.push(chunk)) {
      if (line.type === "line") JSON.parse(line.text);
      count += 1;
    }
  }
  return count;
}

async function parseWithReadline({ chunks }: Input): Promise<number> {
  let count = 0;
  const reader = createInterface({ input: Readable.from(chunks), crlfDelay: Infinity });
  reader.on("line", (line) => {
    JSON.parse(line);
    count += 1;
  });
  await new Promise((resolve) => reader.once("close", resolve));
  return count;
}

/** The usual few lines: wrong for characters cut by a chunk, and slow for long lines. */
function parseWithString({ chunks }: Input): number {
  let open = "";
  let count = 0;
  for (const chunk of chunks) {
    open += chunk.toString();
    const lines = open.split("\n");
    open = lines.pop() ?? "";
    count += parseAll(lines);
  }
  return count;
}

async function measure(workload: Workload): Promise<Row[]> {
  const bytes = Buffer.from(`${workload.lines.join("\n")}\n`);
  const input = { lines: workload.lines, chunks: cut(bytes) };
  const best = new Map<string, number>();
  for (let count = 0; count < rounds; count += 1) {
    for (const way of ways) {
      const seconds = await cpuSeconds(way, input);
      best.set(way.name, Math.min(best.get(way.name) ?? Infinity, seconds));
    }
  }
  const floor = best.get("JSON.parse alone") ?? Number.NaN;
  return ways.map((way) => {
    const seconds = best.get(way.name) ?? Number.NaN;
    return {
      workload: workload.name,
      way: way.name,
      "MB per CPU second": Math.round(bytes.length / 1e6 / seconds),
      "ratio to JSON.parse": round(floor / seconds, 2),
    };
  });
}

async function cpuSeconds(way: Way, input: Input): Promise<number> {
  const before = process.cpuUsage();
  const count = await way.parse(input);
  const { user, system } = process.cpuUsage(before);
  if (count !== input.lines.length) {
    throw new Error(`${way.name} saw ${count} of ${input.lines.length} lines.`);
  }
  return (user + system) / 1e6;
}

function cut(bytes: Buffer): Buffer[] {
  return repeat(Math.ceil(bytes.length / chunkBytes), (index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
}

function repeat<Item>(length: number, item: (index: number) => Item): Item[] {
  return Array.from({ length }, (_, index) => item(index));
}

const rows: Row[] = [];
for (const workload of workloads) rows.push(...(await measure(workload)));
publish("line-splitter", [{ title: "From an agent's output to objects", rows }]);
