import { createHash, randomBytes } from "node:crypto";
import { cp, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";

/** The first line of a config.toml that is rewritten at every start. */
const mark = "# Made by Turnwire from";

const files = ["AGENTS.md", "AGENTS.override.md", "hooks.json"];
const folders = ["agents", "prompts", "skills"];
/** What a single agent, prompt or skill may consist of; more is left out. */
const maxFiles = 1000;

/** What was copied into the home, and from what. */
const manifestName = "turnwire-personal.json";
const Manifest = z.record(z.string(), z.string());
type Manifest = z.infer<typeof Manifest>;

/** One change of a home after the other. */
const changing = new Map<string, Promise<void>>();

/**
 * Lets a person's own Codex settings apply in a home of ours, without a change to the person's. All are copies,
 * rewritten where the original changed: Codex writes to its settings, and 0.166.0 follows no links to agents and
 * skills. With `isApplied` false they go again. What somebody else put into our home stays and goes first.
 */
export async function applyPersonalSettings(
  home: string,
  personal: string,
  isApplied: boolean,
): Promise<void> {
  const apply = async (): Promise<void> => {
    await copyAll(home, isApplied ? await wantedCopies(personal) : new Map());
    await copyConfig(home, personal, isApplied);
  };
  const applied = (changing.get(home) ?? Promise.resolve()).then(apply, apply);
  changing.set(home, applied);
  await applied;
}

/** The original of each copy. */
async function wantedCopies(personal: string): Promise<Map<string, string>> {
  const copies = new Map<string, string>();
  const names = await namesIn(personal);
  for (const name of files.filter((file) => names.includes(file))) {
    copies.set(name, join(personal, name));
  }
  for (const folder of folders) {
    for (const name of await namesIn(join(personal, folder))) {
      copies.set(join(folder, name), join(personal, folder, name));
    }
  }
  // Codex appends to rules/default.rules what a person allows for good: ours is another file.
  for (const name of await namesIn(join(personal, "rules"))) {
    copies.set(join("rules", `personal-${name}`), join(personal, "rules", name));
  }
  return copies;
}

/** Names that begin with a dot are Codex's own, such as the skills that it brings along. */
async function namesIn(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => !name.startsWith("."));
}

async function copyAll(home: string, copies: ReadonlyMap<string, string>): Promise<void> {
  const path = join(home, manifestName);
  const before = await readManifest(path);
  const after: Manifest = {};
  for (const name of Object.keys(before)) {
    if (!copies.has(name)) await rm(join(home, name), { recursive: true, force: true });
  }
  for (const [name, source] of copies) {
    const fingerprint = await fingerprintOf(source);
    const isOurs = before[name] !== undefined;
    if (fingerprint === undefined || (!isOurs && (await exists(join(home, name))))) continue;
    after[name] = fingerprint;
    if (before[name] !== fingerprint) await copy(source, join(home, name));
  }
  if (JSON.stringify(after) !== JSON.stringify(before)) await replace(path, JSON.stringify(after));
}

async function readManifest(path: string): Promise<Manifest> {
  try {
    return Manifest.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return {};
  }
}

async function copy(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const draft = join(dirname(target), `.${randomBytes(8).toString("hex")}`);
  await cp(source, draft, { recursive: true, dereference: true });
  await rm(target, { recursive: true, force: true });
  await rename(draft, target);
}

/** The same as long as the names, sizes and times of its files are; undefined for too many, or for nothing. */
async function fingerprintOf(source: string): Promise<string | undefined> {
  const inner: string[] = await readdir(source, { recursive: true }).catch(() => []);
  if (inner.length > maxFiles) return undefined;
  const hash = createHash("sha256");
  for (const name of ["", ...inner.toSorted()]) {
    const stats = await lstat(join(source, name)).catch(() => undefined);
    if (!stats) return undefined;
    hash.update(JSON.stringify([name, stats.size, stats.mtimeMs]));
  }
  return hash.digest("hex");
}

async function copyConfig(home: string, personal: string, isApplied: boolean): Promise<void> {
  const path = join(home, "config.toml");
  const own = await readFile(path, "utf8").catch(() => "");
  if (!own.startsWith(mark) && withoutProjects(own).trim() !== "") return;
  const source = join(personal, "config.toml");
  const text = isApplied ? await readFile(source, "utf8").catch(() => undefined) : undefined;
  if (text === undefined) {
    if (own.startsWith(mark)) await rm(path, { force: true });
    return;
  }
  const head = `${mark} ${source} at every start. For settings of its own here, remove this line.\n`;
  const next = head + withoutProjects(text);
  if (next !== own) await replace(path, next);
}

async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, path);
}

/** Which projects are trusted is decided here, not by Codex. */
export function withoutProjects(toml: string): string {
  let isLeftOut = false;
  const lines = toml.split("\n").filter((line) => {
    if (/^\s*\[/.test(line)) isLeftOut = /^\s*\[\s*"?projects"?\s*[.\]]/.test(line);
    return !isLeftOut;
  });
  return lines.join("\n");
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
