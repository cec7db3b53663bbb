import type { TranscriptLine } from "@turnwire/log";
import { randomUUID } from "node:crypto";
import { access, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import * as z from "zod";
import { claudeEnvironment, type Environment } from "../setting/environment.ts";
import { transcriptLine } from "./transcript-line.ts";
import type { TranscriptLines } from "./transcript-sync.ts";

/** A conversation's files where a CLI with this environment would look for them. */
export function transcriptFiles(
  environment: Environment,
  conversation: string,
  cwd: string,
): Promise<TranscriptFiles> {
  return TranscriptFiles.find(projectsDirectory(environment), conversation, cwd);
}

/** Where a CLI with this environment writes its transcripts. */
export function projectsDirectory(environment: Environment): string {
  const env = claudeEnvironment(environment.env);
  const home = env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? homedir(), ".claude");
  return join(home, "projects");
}

const extension = ".jsonl";
/** Beside a sub-agent's transcript the CLI keeps what it knows of the agent; mirrored, it is a line of this type. */
const Metadata = z.looseObject({ type: z.literal("agent_metadata") });

/** A conversation's files on this machine, as the CLI writes them: `<project>/<id>.jsonl`, its parts in `<project>/<id>/`. */
export class TranscriptFiles {
  readonly #main: string;
  readonly #folder: string;

  private constructor(main: string) {
    this.#main = main;
    this.#folder = main.slice(0, -extension.length);
  }

  /** The CLI finds a conversation by its id in whichever project; new files go to that of the directory. */
  static async find(projects: string, conversation: string, cwd: string): Promise<TranscriptFiles> {
    const name = `${conversation}${extension}`;
    const entries = await readdir(projects, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.filter((found) => found.isDirectory())) {
      const path = join(projects, entry.name, name);
      if (await isThere(path)) return new TranscriptFiles(path);
    }
    return new TranscriptFiles(join(projects, projectName(cwd), name));
  }

  isThere(): Promise<boolean> {
    return isThere(this.#main);
  }

  async listParts(): Promise<string[]> {
    const options = { recursive: true, withFileTypes: true } as const;
    const entries = await readdir(this.#folder, options).catch(() => []);
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
      .map((entry) => relative(this.#folder, join(entry.parentPath, entry.name)))
      .map((path) => path.slice(0, -extension.length).split(sep).join("/"));
  }

  /** Undefined when there is no such file. */
  async read(part?: string): Promise<TranscriptLines | undefined> {
    const text = await readFile(this.#path(part), "utf8").catch(ifAbsent);
    // A line that the CLI was killed in the middle of is not a line.
    return text?.split("\n").flatMap((line) => transcriptLine(line) ?? []);
  }

  /** Replaces the file; what stood there is kept beside it when it must not be lost. */
  async write(part: string | undefined, lines: TranscriptLines, keepsOld: boolean): Promise<void> {
    const path = this.#path(part);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const metadata = lines.flatMap((line) => metadataFrom(line) ?? []).at(-1);
    const rest = lines.filter((line) => metadataFrom(line) === undefined);
    if (keepsOld) await rename(path, `${path}.replaced-${Date.now()}`);
    await writeWhole(path, rest.map(({ text }) => `${text}\n`).join(""));
    if (metadata) await writeWhole(path.replace(/\.jsonl$/, ".meta.json"), metadata);
  }

  #path(part: string | undefined): string {
    return part === undefined ? this.#main : join(this.#folder, `${part}${extension}`);
  }
}

/** As the CLI names it, except for very long ones; those it finds all the same. */
function projectName(cwd: string): string {
  return cwd.replaceAll(/[^a-zA-Z0-9]/g, "-").slice(0, 200);
}

function metadataFrom({ id, text }: TranscriptLine): string | undefined {
  if (id !== undefined) return undefined;
  const { data } = Metadata.safeParse(JSON.parse(text));
  if (!data) return undefined;
  const { type: _, ...known } = data;
  return JSON.stringify(known);
}

/** A reader never sees half of it. */
async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { mode: 0o600, flag: "wx" });
  await rename(draft, path);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
