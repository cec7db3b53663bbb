import { access, mkdir, readFile, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { RuntimeError } from "@turnwire/runtime";
import { codexEnvironment } from "./environment.ts";
import { applyPersonalSettings } from "./personal-settings.ts";
import type { CodexConfig, CodexOptions } from "./options.ts";

/** What lets Codex in; undefined when nothing does. */
export type Credential =
  | { readonly type: "key"; readonly name: string }
  | { readonly type: "login"; readonly file: string }
  | { readonly type: "provider"; readonly name: string };

/** Finds what Codex would log in with. Looks at names only, never at secrets. */
export async function findCredential(options: CodexOptions): Promise<Credential | undefined> {
  const provider =
    options.config?.["model_provider"] ?? (await configuredProvider(await settingsHome(options)));
  if (typeof provider === "string") return { type: "provider", name: provider };
  const own = join(options.home, "auth.json");
  if (await exists(own)) return { type: "login", file: own };
  if (codexEnvironment(options)["OPENAI_API_KEY"]) return { type: "key", name: "OPENAI_API_KEY" };
  if (options.isHomeShared) return undefined;
  const personal = join(personalHome(options), "auth.json");
  return (await exists(personal)) ? { type: "login", file: personal } : undefined;
}

/** The home whose config.toml applies: before its first start, ours has none yet. */
async function settingsHome(options: CodexOptions): Promise<string> {
  const isOwn = !options.usesPersonalSettings || options.isHomeShared === true;
  if (isOwn || (await exists(join(options.home, "config.toml")))) return options.home;
  return personalHome(options);
}

/** A provider of the home's own settings has credentials of its own. */
async function configuredProvider(home: string): Promise<string | undefined> {
  const path = join(home, "config.toml");
  const text = (await exists(path)) ? await readFile(path, "utf8") : "";
  return /^\s*model_provider\s*=\s*"([^"]+)"/m.exec(text)?.[1];
}

/** The home that Codex has where no other is named. */
export function personalHome(options: Pick<CodexOptions, "home" | "env">): string {
  return join(codexEnvironment(options)["HOME"] ?? homedir(), ".codex");
}

/** Whether any thread was ever kept in the home. */
export async function hasThreads(home: string): Promise<boolean> {
  const places = ["sessions", "archived_sessions"].map((name) => exists(join(home, name)));
  return (await Promise.all(places)).includes(true);
}

/** Makes the home ready; answers with the settings that let Codex in. */
export async function prepareHome(options: CodexOptions): Promise<CodexConfig> {
  const { home } = options;
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new RuntimeError("spawn_failed", `The Codex home ${home} cannot be made.`, { cause });
  }
  if (!options.isHomeShared && personalHome(options) !== home) {
    await applyPersonalSettings(home, personalHome(options), options.usesPersonalSettings === true);
  }
  const credential = await findCredential(options);
  if (credential?.type === "key") return keyProvider(credential.name);
  const own = join(home, "auth.json");
  // A link and not a copy: Codex renews the login in place, and both would else log each other out.
  if (credential?.type === "login" && credential.file !== own) await symlink(credential.file, own);
  return {};
}

/** The built-in provider reads only a login; this one reads the key, which so is never on disk. */
function keyProvider(envKey: string): CodexConfig {
  const place = "model_providers.openai-key";
  return {
    model_provider: "openai-key",
    [`${place}.name`]: "OpenAI",
    [`${place}.base_url`]: "https://api.openai.com/v1",
    [`${place}.wire_api`]: "responses",
    [`${place}.env_key`]: envKey,
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
