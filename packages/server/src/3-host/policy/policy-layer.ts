import { isObject } from "@turnwire/base";
import {
  defaultPolicy,
  parsePolicy,
  parseProjectPolicy,
  type Policy,
  PolicyError,
  withoutModes,
} from "@turnwire/policy";
import type { PolicyFileInfo, PolicyLevel } from "@turnwire/protocol";
import type { PolicyInForce } from "../../2-session/policy/policy-source.ts";

/** What a place of the policy says now. */
export type LayerContent =
  | { readonly type: "data"; readonly data: unknown }
  /** It is not JSON. */
  | { readonly type: "text"; readonly text: string; readonly problem: string }
  /** It cannot be read, so what it says is unknown. */
  | { readonly type: "unread"; readonly problem: string }
  /** It must not take effect: never trusted, or not as it is now. */
  | {
      readonly type: "untrusted";
      readonly text: string;
      readonly problem: string;
      readonly wasTrusted: boolean;
    };

/** One place that a policy comes from. */
export interface PolicyLayer {
  readonly path: string;
  readonly level: Exclude<PolicyLevel, "built_in">;
  readonly content: LayerContent;
  /** The data with which it was in order last, in this process. */
  readonly lastGood?: unknown;
}

/** What layers make together. */
export interface ComposedPolicy extends Required<Pick<PolicyInForce, "levels" | "files">> {
  readonly policy: Policy;
  /** What each layer was in order with last, by path. */
  readonly lastGood: ReadonlyMap<string, unknown>;
}

/**
 * Puts layers on top of the built-in modes, one after the other. One that cannot be used keeps
 * what it said last; without that, the modes that it says something of are refused.
 */
export function composePolicy(layers: readonly PolicyLayer[]): ComposedPolicy {
  let policy = defaultPolicy();
  const levels = new Map<string, PolicyLevel>(
    [...policy.modes.keys()].map((name) => [name, "built_in"]),
  );
  const files: PolicyFileInfo[] = [];
  const lastGood = new Map<string, unknown>();
  for (const layer of layers) {
    const { path, level, content } = layer;
    const { data, problems } = usableData(layer, policy);
    if (data === undefined) {
      const refused = refusedModes(layer, policy, problems);
      policy = withoutModes(policy, refused, `${path} cannot be used: ${briefly(problems)}`);
      for (const name of refused.keys()) levels.set(name, level);
    } else {
      const next = parseLayer(layer, data, policy);
      for (const [name, mode] of next.modes) {
        if (mode !== policy.modes.get(name)) levels.set(name, level);
      }
      policy = next;
      lastGood.set(path, data);
    }
    files.push({
      path,
      level,
      status:
        problems.length === 0 ? "loaded" : content.type === "untrusted" ? "untrusted" : "broken",
      ...(problems.length > 0 && { problems: [...problems], has_earlier: data !== undefined }),
    });
  }
  return { policy, levels, files, lastGood };
}

interface Usable {
  /** Undefined: there is nothing that could be in force. */
  readonly data: unknown;
  /** What is wrong with what the layer says now. */
  readonly problems: readonly string[];
}

function usableData(layer: PolicyLayer, base: Policy): Usable {
  const { content, lastGood } = layer;
  const problems =
    content.type === "data" ? problemsOf(layer, content.data, base) : [content.problem];
  if (content.type === "data" && problems.length === 0) return { data: content.data, problems };
  const isOldUsable = lastGood !== undefined && problemsOf(layer, lastGood, base).length === 0;
  return { data: isOldUsable ? lastGood : undefined, problems };
}

function parseLayer({ level }: PolicyLayer, data: unknown, base: Policy): Policy {
  return level === "project" ? parseProjectPolicy(data, base) : parsePolicy(data, base);
}

function problemsOf(layer: PolicyLayer, data: unknown, base: Policy): readonly string[] {
  try {
    parseLayer(layer, data, base);
    return [];
  } catch (error) {
    if (error instanceof PolicyError) return error.problems;
    throw error;
  }
}

function briefly(problems: readonly string[]): string {
  return problems.slice(0, 3).join("; ");
}

/** Modes that would be looser, or another thing, without the layer. */
function refusedModes(
  { path, content, level }: PolicyLayer,
  { modes }: Policy,
  problems: readonly string[],
): ReadonlyMap<string, string> {
  const known = [...modes.keys()];
  const named = content.type === "unread" ? known : namedModes(content, known);
  const isStranger = content.type === "untrusted" && !content.wasTrusted;
  const owner = level === "project" ? "the project's policy" : "the policy";
  return new Map(
    named
      .filter((name) => !isStranger || !modes.has(name))
      .map((name) => [
        name,
        `${owner} ${path} says what it is, but cannot be used: ${briefly(problems)}`,
      ]),
  );
}

/** The modes that a content says something of, as far as that can be seen. */
function namedModes(
  content: Exclude<LayerContent, { type: "unread" }>,
  known: readonly string[],
): readonly string[] {
  const text = content.type === "data" ? undefined : content.text;
  const data = content.type === "data" ? content.data : jsonOrUndefined(content.text);
  if (isObject(data)) return isObject(data["modes"]) ? Object.keys(data["modes"]) : [];
  // Not even JSON: what looks like a key may be one.
  return known.filter((name) => text !== undefined && new RegExp(`"${name}"\\s*:`).test(text));
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
