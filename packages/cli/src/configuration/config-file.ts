import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { errorText } from "@turnwire/base";
import type * as z from "zod";
import { CliError } from "../error/cli-error.ts";
import { TurnwireConfig } from "./config-schema.ts";
import { didYouMean } from "../error/suggestion.ts";

/** A configuration file that was read and checked. */
export interface ConfigFile {
  readonly path: string;
  readonly config: TurnwireConfig;
}

interface ConfigPlace {
  /** As --config or TURNWIRE_CONFIG names it. */
  readonly given: string | undefined;
  readonly dataDirectory: string;
  readonly cwd: string;
}

const names = ["turnwire.config.ts", "turnwire.config.json"];

/**
 * The file that is named, else the one in the data directory; undefined when there is none. The current
 * directory is not looked at: a cloned repository must not configure the server, let alone run code in it.
 */
export async function loadConfigFile(place: ConfigPlace): Promise<ConfigFile | undefined> {
  const path = await findConfigFile(place);
  if (path === undefined) return undefined;
  const config = configFrom(path, await readConfig(path));
  return { path, config };
}

async function findConfigFile({
  given,
  dataDirectory,
  cwd,
}: ConfigPlace): Promise<string | undefined> {
  if (given !== undefined) {
    const path = resolve(cwd, given);
    if (await isFile(path)) return path;
    throw new CliError("usage", `--config: ${given} does not exist or is not a file.`);
  }
  const found: string[] = [];
  for (const name of names) {
    const path = join(dataDirectory, name);
    if (await isFile(path)) found.push(path);
  }
  const [first, second] = found;
  if (second !== undefined) {
    throw new CliError("usage", `There are both ${first} and ${second}: remove one of them.`);
  }
  if (first !== undefined) await checkOwner(first);
  return first;
}

/** It may run code, so only what its user alone can write is read without being named. */
async function checkOwner(path: string): Promise<void> {
  const { uid, mode } = await stat(path);
  const isOwn = uid === (process.getuid?.() ?? uid);
  if (isOwn && (process.platform === "win32" || (mode & 0o022) === 0)) return;
  throw new CliError(
    "data_unusable",
    `${path} is not read: others may write to it. Correct its owner and mode, or name it with --config.`,
  );
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function readConfig(path: string): Promise<unknown> {
  try {
    if (path.endsWith(".json")) return JSON.parse(await readFile(path, "utf8"));
    // Loaded here: most commands need no loader.
    const { createJiti } = await import("jiti");
    const jiti = createJiti(pathToFileURL(path).href, {
      alias: { "turnwire/config": ownHelper() },
    });
    return await jiti.import(path, { default: true });
  } catch (cause) {
    throw new CliError("usage", `${path} cannot be read: ${errorText(cause)}`, { cause });
  }
}

/** The file may import `defineConfig` although no package is installed beside it. */
function ownHelper(): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`./define-config.${extension}`, import.meta.url));
}

/** Throws a CliError that names the file and the key, never a value. */
export function configFrom(path: string, source: unknown): TurnwireConfig {
  const parsed = TurnwireConfig.safeParse(source);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 10).map((issue) => `  ${problemText(issue)}`);
  throw new CliError("usage", `Invalid configuration in ${path}:\n${problems.join("\n")}`);
}

function problemText(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") {
    return `${place.join(".") || "the file"}: ${issue.message}`;
  }
  const known = knownKeys(place);
  return issue.keys
    .map((key) => `${[...place, key].join(".")}: unknown key.${didYouMean(key, known)}`)
    .join("\n  ");
}

/** The keys that an object of the file may have; none where they are the user's own. */
function knownKeys(path: readonly string[]): readonly string[] {
  let schema: unknown = TurnwireConfig;
  for (const key of path) schema = shapeOf(schema)[key];
  return Object.keys(shapeOf(schema));
}

function shapeOf(schema: unknown): Record<string, unknown> {
  let inner = schema;
  while (isWrapped(inner)) inner = inner.unwrap();
  return isShaped(inner) ? inner.shape : {};
}

function isWrapped(schema: unknown): schema is { unwrap: () => unknown } {
  return typeof schema === "object" && schema !== null && "unwrap" in schema;
}

function isShaped(schema: unknown): schema is { shape: Record<string, unknown> } {
  return typeof schema === "object" && schema !== null && "shape" in schema;
}
