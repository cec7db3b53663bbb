import { projectOf, type Project } from "@turnwire/protocol";
import { useMemo } from "react";
import { useSessionList } from "../session/sessions.tsx";
import { recentFirst } from "./picker-row.ts";
import { useProjects } from "./projects.tsx";

/** All projects, those with the newest sessions first. */
export function useRecentProjects(): readonly Project[] {
  const { list } = useProjects();
  const { sessions } = useSessionList();
  return useMemo(() => {
    const usedAt = new Map<string, string>();
    for (const { cwd, updated_at } of sessions) {
      const id = projectOf(list, cwd)?.id;
      if (id !== undefined && updated_at > (usedAt.get(id) ?? "")) usedAt.set(id, updated_at);
    }
    return recentFirst(list, ({ id }) => usedAt.get(id));
  }, [list, sessions]);
}
