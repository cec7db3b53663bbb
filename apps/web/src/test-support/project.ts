import type { ProjectSettings, ProjectStore } from "@turnwire/workspace";

/** Projects that are added while a test runs; `home` is the directory of `~`. */
export function memoryProjects(home: string): ProjectSettings {
  let kept: Awaited<ReturnType<ProjectStore["load"]>> = [];
  return {
    home,
    store: {
      load: async () => kept,
      save: async (records) => {
        kept = records;
      },
    },
  };
}
