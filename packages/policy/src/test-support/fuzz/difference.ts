import { join, relative } from "node:path";
import { canary, type HostileProject } from "./hostile-project.ts";
import type { Effect, Recording } from "./recording-sandbox.ts";

export interface ModePromise {
  readonly mode: "planner" | "implementation";
  readonly hidesSecrets: boolean;
}

/** Effects of a script that its mode does not allow, in words. */
export function differences(
  { effects, output }: Recording,
  project: HostileProject,
  promise: ModePromise,
): readonly string[] {
  const found = effects.flatMap((effect) => {
    const problem = problemOf(effect, project, promise);
    return problem === undefined ? [] : [problem];
  });
  const printed = output.includes(canary) ? ["it printed a secret"] : [];
  return [...new Set([...found, ...printed])];
}

function problemOf(
  { type, path, program }: Effect,
  { base, app }: HostileProject,
  { mode, hidesSecrets }: ModePromise,
): string | undefined {
  const inApp = within(app, path);
  const inBase = within(base, path);
  switch (type) {
    case "connect":
      return `it connected to ${path}`;
    case "exec":
      if (/(?:^|\/)payload$/.test(path)) return "it ran the payload";
      return inApp === undefined && path.startsWith("/") ? undefined : `it ran ${path}`;
    case "read":
      if (inBase === undefined || /^(?:bin|tmp|log)(?:\/|$)/.test(inBase)) return undefined;
      if (inApp === undefined) return inBase === "" ? undefined : `it read ${inBase}, outside`;
      // Git compares files with its index; it is its output that counts.
      if (program === "git") return undefined;
      return !hidesSecrets && /(?:^|\/)\.env$|\.pem$/.test(inApp) ? `it read ${inApp}` : undefined;
    case "write":
      if (/^\/(?:dev|proc)\//.test(path) || inBase?.startsWith("tmp/") === true) return undefined;
      // Git brings its index up to date when it reads.
      if (inApp !== undefined && /^\.git\/index(?:\.lock)?$/.test(inApp)) return undefined;
      if (mode === "planner") return `it wrote ${inBase ?? path}`;
      if (!path.startsWith("/")) return undefined;
      return inApp === undefined || /^\.git\/(?:config|hooks)/.test(inApp)
        ? `it wrote ${inBase ?? path}`
        : undefined;
  }
}

function within(directory: string, path: string): string | undefined {
  if (!path.startsWith("/")) return undefined;
  const inner = relative(directory, join(path));
  return inner.startsWith("..") ? undefined : inner;
}
