import { folderOf } from "./folder-graph.ts";
import { importedPath, sourceFolderOf } from "./source-file.ts";

/** The folders of a package in the order of its imports: a folder imports itself and those before it. */
export const folderOrder: Readonly<Record<string, readonly string[]>> = {
  protocol: [
    "json",
    "part",
    "event",
    "command",
    "state",
    "resource",
    "fold",
    "grammar",
    "wire",
    ".",
  ],
  markdown: ["tree", "inline", "block", "highlight", "."],
  runtime: [
    "process",
    "containment",
    "configuration",
    ".",
    "ui-tool",
    "demo/stage",
    "demo/scenario",
    "demo",
  ],
  "runtime-claude": ["setting", "transcript", "normalize", "tool", "sdk", "cli", "."],
  "runtime-codex": ["protocol", "setting", "normalize", "gate", "app-server", "exec", "."],
  workspace: ["project", "trust", "worktree", "."],
  server: [
    "2-session/ui",
    "2-session/evaluation",
    "2-session/policy",
    "2-session/trace",
    "2-session/decide",
    "2-session/port",
    "2-session/record",
    "2-session/watch",
    "2-session/agent",
    "2-session",
    "3-host/loaded",
    "3-host/audit",
    "3-host/policy",
    "3-host/creation",
    "3-host/slot",
    "3-host/runtime",
    "3-host/read-only",
    "3-host/membership",
    "3-host/remote",
    "3-host",
    "4-transport/http",
    "4-transport/auth",
    "4-transport/stream/encoding",
    "4-transport/stream/frame-log",
    "4-transport/stream",
    "4-transport/socket",
    "4-transport/route",
    "4-transport",
    ".",
  ],
  cli: [
    "error",
    "option",
    "configuration",
    "terminal",
    "log",
    "program",
    "session",
    "connection",
    "server",
    "chat",
    "doctor",
    "policy",
    "run",
    "command",
    ".",
  ],
};

/** Whether a file imports one of its package that comes after it in the order of folders, or of stages. */
export function isAgainstOrder(path: string, specifier: string): boolean {
  const target = importedPath(path, specifier);
  if (!target?.startsWith(`${sourceFolderOf(path)}/`)) return false;
  const order = folderOrder[path.split("/")[1] ?? ""];
  if (!order) return stageOf(target) > stageOf(path);
  const [from, to] = [order.indexOf(folderOf(path)), order.indexOf(folderOf(target))];
  return from < 0 || to < 0 || to > from;
}

/** The number of the stage a file belongs to; files outside any stage see all. */
function stageOf(path: string): number {
  const stage = path
    .split("/")
    .map((part) => /^(\d)-/.exec(part)?.[1])
    .find((number) => number !== undefined);
  return stage === undefined ? Infinity : Number(stage);
}
