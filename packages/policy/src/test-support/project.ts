import { posix } from "node:path";
import type { DirectoryEntry, Facts } from "../facts.ts";

const directories = new Set([
  "/",
  "/work",
  "/work/app",
  "/work/app/src",
  "/work/app/packages",
  "/work/app/packages/policy",
  "/work/app/.git",
  "/home/me",
  "/etc",
  "/tmp",
]);
const files = ["/work/app/README.md", "/work/app/src/a.ts"];
/** Links in the project, by where they lead. */
const links: Readonly<Record<string, string>> = {
  "/work/app/outside": "/etc",
  "/work/app/hooks": "/work/app/.git/hooks",
  "/work/app/again": "/work/app/src",
  "/work/app/notes-of-others.md": "/etc/notes",
};

function realPath(path: string): string | undefined {
  for (const [link, target] of Object.entries(links)) {
    if (path === link || path.startsWith(`${link}/`)) return target + path.slice(link.length);
  }
  if (path.startsWith("/work/app/loop")) throw new Error("ELOOP");
  return directories.has(path) || files.includes(path) ? path : undefined;
}

function entries(directory: string): readonly DirectoryEntry[] | undefined {
  if (!directories.has(directory)) return undefined;
  const below = (path: string): boolean => posix.dirname(path) === directory;
  return [
    ...[...directories].map((path) => ({ path, type: "directory" as const })),
    ...Object.keys(links).map((path) => ({ path, type: "link" as const })),
    ...files.map((path) => ({ path, type: "file" as const })),
  ].flatMap(({ path, type }) => (below(path) ? { name: posix.basename(path), type } : []));
}

/** The same without links. */
export const plainFacts: Facts = {
  cwd: "/work/app",
  roots: ["/work/app"],
  home: "/home/me",
  realPath: (path) => (directories.has(path) || files.includes(path) ? path : undefined),
  entries: (directory) => entries(directory)?.filter(({ type }) => type !== "link"),
};

/** A machine that exists only here: a project in /work/app with links in it. */
export const projectFacts: Facts = {
  cwd: "/work/app",
  roots: ["/work/app"],
  home: "/home/me",
  realPath,
  entries,
};
