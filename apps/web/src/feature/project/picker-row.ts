import type { DirectoryList, Project } from "@turnwire/protocol";
import { hasWords } from "../../element/has-words.ts";

/** One line of the picker. */
export type PickerRow =
  | { readonly type: "project"; readonly project: Project }
  /** Leaves the projects for the file system. */
  | { readonly type: "browse" }
  | { readonly type: "up"; readonly path: string }
  | { readonly type: "folder"; readonly entry: DirectoryList["entries"][number] };

/** The projects that have every typed word in their name or path, and the way to add one. */
export function projectRows(
  projects: readonly Project[],
  query: string,
  canAdd: boolean,
): readonly PickerRow[] {
  const found = projects.filter(({ name, display_path, path }) =>
    hasWords(`${name} ${display_path} ${path}`, query),
  );
  return [
    ...found.map((project) => ({ type: "project" as const, project })),
    ...(canAdd ? [{ type: "browse" as const }] : []),
  ];
}

export function rowKey(row: PickerRow): string {
  switch (row.type) {
    case "project":
      return row.project.id;
    case "folder":
      return `folder ${row.entry.name}`;
    case "browse":
    case "up":
      return row.type;
  }
}

/** The line that is chosen before a person has moved: the first one that leads somewhere new. */
export function firstPlace(rows: readonly PickerRow[]): number {
  const place = rows.findIndex(({ type }) => type !== "up");
  return Math.max(0, place);
}

/** The projects in the order of use: the newest session decides, then the server's order. */
export function recentFirst(
  projects: readonly Project[],
  usedAt: (project: Project) => string | undefined,
): readonly Project[] {
  return projects
    .map((project, place) => ({ project, place, at: usedAt(project) ?? "" }))
    .toSorted((left, right) => right.at.localeCompare(left.at) || left.place - right.place)
    .map(({ project }) => project);
}
