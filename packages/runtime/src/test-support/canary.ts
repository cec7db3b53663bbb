import { mkdirSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";

/** A project whose files would leave a trace wherever they took effect. */
export class CanaryProject {
  readonly cwd: string;
  /** Commands of the project leave a file here. */
  readonly marks: string;

  constructor(cwd: string, marks: string) {
    this.cwd = cwd;
    this.marks = marks;
    mkdirSync(marks, { recursive: true });
  }

  write(path: string, text: string): void {
    const place = join(this.cwd, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }

  /** A command that leaves a mark. */
  touch(name: string): string {
    return `touch ${join(this.marks, name)}`;
  }

  /** The marks that were left, once those that are expected are there. */
  async left(...expected: string[]): Promise<string[]> {
    await expectFiles(this.marks, expected);
    return (await readdir(this.marks)).toSorted();
  }
}

/** Waits until a directory has these files. */
async function expectFiles(directory: string, names: readonly string[]): Promise<void> {
  await expect.poll(() => readdir(directory)).toEqual(expect.arrayContaining([...names]));
}

/** The words `CANARY-…` in what a model was sent. */
export function canariesIn(requests: readonly { readonly body: unknown }[]): string[] {
  const text = JSON.stringify(requests.map(({ body }) => body));
  return [...new Set(text.match(/CANARY-[a-z-]+/g) ?? [])].toSorted();
}

/** A server that speaks just enough MCP, and leaves a mark when it starts. */
export function mcpServerArguments(mark: string): string[] {
  const script = `
    require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      const protocolVersion = params?.protocolVersion;
      const tools = [{ name: "canary", description: "a tool", inputSchema: { type: "object" } }];
      const serverInfo = { name: "canary", version: "1" };
      const results = {
        initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo },
        "tools/list": { tools },
      };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
    });`;
  return ["-e", script];
}
