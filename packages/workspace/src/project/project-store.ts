import { rename } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { type ListStore, jsonFrom, readWhole, writeWhole } from "@turnwire/log/list";

/** A project as it is stored. */
export const ProjectRecord = z.object({
  /** The real path when it was added. */
  path: z.string(),
  added_at: z.iso.datetime(),
});
export type ProjectRecord = z.infer<typeof ProjectRecord>;

/** Where the projects that were added outlive the server. */
export type ProjectStore = ListStore<ProjectRecord>;

const ProjectFile = z.object({ projects: z.array(ProjectRecord) });

/** Projects in `<directory>/projects.json`. A file that makes no sense is put aside and reported; the list then starts empty. */
export function createProjectFile(
  directory: string,
  onDamaged: (error: Error) => void = (error) => console.error(error),
): ProjectStore {
  const path = join(directory, "projects.json");
  return {
    async load() {
      const text = await readWhole(path);
      if (text === undefined) return [];
      const parsed = ProjectFile.safeParse(jsonFrom(text));
      if (parsed.success) return parsed.data.projects;
      const kept = `${path}.damaged-${Date.now()}`;
      await rename(path, kept);
      const message = `The list of projects ${path} was damaged. It was kept as ${kept}; add the projects again.`;
      onDamaged(new Error(message, { cause: parsed.error }));
      return [];
    },
    save: (projects) => writeWhole(path, `${JSON.stringify({ projects }, null, 2)}\n`),
  };
}
