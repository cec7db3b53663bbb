import type { Access } from "./action.ts";
import type { AllowRule } from "./allow-rule.ts";
import type { Facts } from "./facts.ts";
import { judge } from "./judge.ts";
import type { Mode, PathRule } from "./mode.ts";

/** The files that a mode keeps from commands: for whoever holds commands there. */
export interface GuardedPaths {
  /** Absolute paths that rules name and that are not read freely. */
  readonly secretPaths: readonly string[];
  /** Whether a file or directory inside the roots must not be read, by its absolute path. */
  readonly isSecret: (path: string) => boolean;
  /** Whether one inside the roots must not be written although the mode writes there. */
  readonly isFixed: (path: string) => boolean;
}

export interface GuardedPlace extends Pick<Facts, "roots" | "home" | "realPath" | "entries"> {
  /** A person's own rules that hold in the mode. */
  readonly rules: readonly AllowRule[];
}

export function guardedPaths(mode: Mode, place: GuardedPlace): GuardedPaths {
  const guards = (access: Access) => (path: string) => !isAllowed(access, path, { mode, place });
  // The name is looked at first: there may be very many files.
  const byName = (access: Access) => {
    const [names, isGuarded] = [namePattern(rulesOn(access, mode)), guards(access)];
    return (path: string) => names.test(path.slice(path.lastIndexOf("/") + 1)) && isGuarded(path);
  };
  return {
    secretPaths: namedPaths(mode, place).filter(guards("read")),
    isSecret: byName("read"),
    isFixed: byName("write"),
  };
}

function isAllowed(
  access: Access,
  path: string,
  { mode, place }: { readonly mode: Mode; readonly place: GuardedPlace },
): boolean {
  const action = { type: "path", access, path: { path }, subject: path } as const;
  const held = { ...place, containment: "kernel" } as const;
  return judge(action, { mode, rules: place.rules }, held).verdict === "allow";
}

function rulesOn(access: Access, { paths }: Mode): PathRule[] {
  return paths.filter((rule) => rule.access === access && rule.verdict !== "allow");
}

/** Fits the last name of every path that a rule by name may be about. */
function namePattern(rules: readonly PathRule[]): RegExp {
  const names = rules
    .flatMap(({ paths }) => paths)
    .filter((path) => !/^~?\//.test(path))
    .map((path) => path.replace(/\/+$/, "").split("/").at(-1) ?? "")
    .map((name) => name.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll(/\*+/g, ".*"));
  return names.length === 0 ? /(?!)/ : new RegExp(`^(?:${names.join("|")})[. ]*$`, "i");
}

/** `/proc` is the command's own where it is held. */
function namedPaths(mode: Mode, { home }: GuardedPlace): string[] {
  return rulesOn("read", mode)
    .flatMap(({ paths }) => paths)
    .filter((path) => /^~?\//.test(path) && path !== "/proc/")
    .flatMap((path) => {
      if (!path.startsWith("~")) return [path];
      return home === undefined ? [] : [home + path.slice(1)];
    })
    .map((path) => path.replace(/\/+$/, ""));
}
