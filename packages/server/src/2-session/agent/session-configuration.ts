import { homedir } from "node:os";
import { relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  type Control,
  draft,
  type EventDraft,
  type SessionConfiguration,
  type TrustFinding,
} from "@turnwire/protocol";
import { type Finding, scanUser } from "@turnwire/runtime/configuration";
import { isInside } from "@turnwire/runtime/process";
import type { ProjectAccess, Runtime } from "@turnwire/runtime";
import type { Assessment, TrustedDirectories } from "@turnwire/workspace";

/** What an agent that starts now takes from files. */
export interface AppliedConfiguration {
  readonly access: ProjectAccess;
  /** The same as long as an agent need not be restarted. */
  readonly key: string;
  readonly configuration: SessionConfiguration;
}

/** The configuration of one session's agents. */
export interface ConfigurationSource {
  /** What applies to an agent that starts in the directory now; undefined where its runtime reads no files. */
  readonly apply: (directory: string) => Promise<AppliedConfiguration | undefined>;
  /** The key of the same, without the rest. */
  readonly keyNow: (directory: string) => Promise<string | undefined>;
}

export function configurationSource(
  runtime: Pick<Runtime, "name" | "configuration">,
  trust: TrustedDirectories,
): ConfigurationSource {
  const { name, configuration: sources } = runtime;
  if (!sources) return { apply: async () => undefined, keyNow: async () => undefined };
  return {
    keyNow: async (directory) => keyOf(await trust.assess(directory)),
    async apply(directory) {
      const { user } = sources;
      const [assessment, own] = await Promise.all([
        trust.assess(directory),
        user ? scanUser(user.directory, user.rules) : [],
      ]);
      const found = assessment.scan.findings.filter(({ runtimes }) => runtimes.includes(name));
      const isTrusted = assessment.status === "trusted";
      const inForce = isTrusted ? [...own, ...found] : own;
      return {
        access: {
          isTrusted,
          untrustedFiles: isTrusted ? [] : found.map(({ path }) => path),
          agents: namedIn(inForce, "agent"),
        },
        key: keyOf(assessment),
        configuration: {
          trust: assessment.status,
          user_settings: user !== undefined,
          ...namesOf(inForce, directory),
        },
      };
    },
  };
}

/** The event that states what is in force now, where that is not what the log says. */
export function configurationChange(
  { session }: Control,
  applied: AppliedConfiguration | undefined,
): EventDraft[] {
  if (!applied || isDeepStrictEqual(applied.configuration, session.configuration)) return [];
  return [draft("session_updated", { configuration: applied.configuration })];
}

/** What is not trusted takes no effect, whatever it says. */
function keyOf({ status, digest }: Assessment): string {
  return status === "trusted" ? `trusted:${digest}` : "untrusted";
}

function namesOf(findings: readonly Finding[], directory: string) {
  const named = (kind: TrustFinding["kind"]): string[] => bounded(namedIn(findings, kind));
  const texts = findings.filter(({ kind }) => kind === "instructions");
  return {
    instructions: bounded(texts.map(({ path }) => shortPath(path, directory))),
    agents: named("agent"),
    skills: named("skill"),
    commands: named("command"),
    mcp_servers: named("mcp_server"),
    hooks: named("hook"),
  };
}

function namedIn(findings: readonly Finding[], kind: TrustFinding["kind"]): string[] {
  return findings.flatMap((found) => (found.kind === kind ? (found.name ?? []) : []));
}

const maxNames = 200;

function bounded(names: readonly string[]): string[] {
  return [...new Set(names)].slice(0, maxNames);
}

function shortPath(path: string, directory: string): string {
  if (isInside(path, directory)) return relative(directory, path);
  const home = homedir();
  return isInside(path, home) ? `~/${relative(home, path)}` : path;
}
