import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A part of the sources that is taken out, and by what it is replaced. */
export interface Cut {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const versionOfTool = `const tool: Program = (call) => {
  if (call.args.length === 1 && literalText(call.args[0]) === "--version") return undefined;
`;

/** The mended causes of findings, each as what the reader was without it. */
export const mended = {
  "a bracket that sed ends elsewhere": [
    {
      file: "program/sed.ts",
      from: String.raw`\[(?!\^?\])(?:(?!\k<mark>)[^\]\\\n[]|\[:[a-z]+:\]|\\(?!\k<mark>)[^\]\n])+\]`,
      to: String.raw`\[(?:(?!\k<mark>)[^\]\n])*\]`,
    },
  ],
  "a line continued within a word": [
    {
      file: "shell/preflight.ts",
      from: `return isSplit || isInText ? "a line is continued within a word" : undefined;`,
      to: `return isSplit && isInText && command === "" ? "" : undefined;`,
    },
  ],
  "a text that sh reads otherwise": [
    {
      file: "program/wrapper.ts",
      from: `return runPlainText(call, texts.join(" "));`,
      to: `call.walk.runText(texts.join(" "), call.state);\n  return undefined;`,
    },
  ],
  "a tool that is a file of the project": [
    {
      file: "program/project-tool.ts",
      from: "const tool: Program = (call) => {\n",
      to: versionOfTool,
    },
  ],
  "a package manager that loads what the project names": [
    {
      file: "program/package-manager.ts",
      from: `if (call.name !== "npm") {`,
      to: `if (call.name === "") {`,
    },
  ],
  "a repository inside the project": [
    {
      file: "program/git/git.ts",
      from: `if (has(place, "HEAD")) return true;`,
      to: `if (has(place, "HEAD") && has(place, "objects")) return true;`,
    },
  ],
} as const satisfies Readonly<Record<string, readonly Cut[]>>;

/** The closed list, which holds without containment whatever else is wrong. */
export const closedList: readonly Cut[] = [
  {
    file: "shell/script-walk.ts",
    from: "    isClosed,\n    writtenPaths",
    to: "    isClosed: false,\n    writtenPaths",
  },
  {
    file: "shell/script-walk.ts",
    from: "if (isClosed && !isPlainScript(text))",
    to: "if (isClosed && text === notClosed && !isPlainScript(text))",
  },
];

export interface PlantedReader {
  readonly directory: string;
  remove(): Promise<void>;
}

/** A copy of the reader without some of its parts. */
export async function plantReader(cuts: readonly Cut[]): Promise<PlantedReader> {
  const source = join(import.meta.dirname, "../..");
  const place = await mkdtemp(join(tmpdir(), "turnwire-reader-"));
  const directory = join(place, "src");
  await cp(source, directory, { recursive: true });
  await symlink(join(source, "../../../node_modules"), join(place, "node_modules"));
  await writeFile(join(place, "package.json"), `{"type":"module"}`);
  for (const { file, from, to } of cuts) {
    const path = join(directory, file);
    const text = await readFile(path, "utf8");
    if (!text.includes(from)) throw new Error(`${file} does not have: ${from}`);
    await writeFile(
      path,
      text.replace(from, () => to),
    );
  }
  return { directory, remove: () => rm(place, { recursive: true, force: true }) };
}
