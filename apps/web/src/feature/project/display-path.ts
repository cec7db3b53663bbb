import type { Project } from "@turnwire/protocol";

/** A path for people: `~` is the home directory. */
export function displayPath(path: string, home: string | undefined): string {
  if (home === undefined || home === "/" || home === "") return path;
  if (path === home) return "~";
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** The home directory as far as it can be known: from a project inside it, else where the picker of a server without roots begins. */
export function homeDirectory(
  projects: readonly Pick<Project, "path" | "display_path">[],
  pickerStart: string | undefined,
): string | undefined {
  const inHome = projects.find(({ display_path }) => display_path.startsWith("~"));
  if (inHome) return inHome.path.slice(0, inHome.path.length - inHome.display_path.length + 1);
  return projects.length === 0 ? pickerStart : undefined;
}
