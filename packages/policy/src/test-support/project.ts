import type { Facts } from "../facts.ts";

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
/** Links in the project, by where they lead. */
const links: Readonly<Record<string, string>> = {
  "/work/app/outside": "/etc",
  "/work/app/hooks": "/work/app/.git/hooks",
  "/work/app/again": "/work/app/src",
};

function realPath(path: string): string | undefined {
  for (const [link, target] of Object.entries(links)) {
    if (path === link || path.startsWith(`${link}/`)) return target + path.slice(link.length);
  }
  if (path.startsWith("/work/app/loop")) throw new Error("ELOOP");
  return directories.has(path) ? path : undefined;
}

/** A machine that exists only here: a project in /work/app with links in it. */
export const projectFacts: Facts = {
  cwd: "/work/app",
  roots: ["/work/app"],
  home: "/home/me",
  realPath,
};
