import { detach } from "@turnwire/base";
import { projectOf, type Project, type ProjectList } from "@turnwire/protocol";
import { useClient } from "@turnwire/react";
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { plainError } from "../../element/plain-error.ts";
import { useSessionList } from "../session/sessions.tsx";
import { displayPath, homeDirectory } from "./display-path.ts";

/** The directories in which agents can work. */
export interface Projects {
  readonly list: readonly Project[];
  readonly canAdd: boolean;
  /** Where a picker begins. */
  readonly home: string | undefined;
  /** False until the server has answered once. */
  readonly isLoaded: boolean;
  /** Why the list could not be loaded. */
  readonly problem: string | undefined;
  readonly refresh: () => void;
  /** Adds a directory, or gives the project that it is already. */
  readonly add: (path: string) => Promise<Project>;
  readonly remove: (project: Project) => Promise<void>;
}

const ProjectsContext = createContext<Projects | null>(null);

const noProjects: ProjectList = { projects: [], can_add: false };

/** Loads the projects once for the whole window, and again when they may have changed. */
export function ProjectsProvider({ children }: { readonly children: ReactNode }) {
  const client = useClient();
  const { projectsRevision } = useSessionList();
  const [known, setKnown] = useState<ProjectList>();
  const [problem, setProblem] = useState<string>();
  const asked = useRef(0);
  const answered = useRef(0);
  const load = useCallback(async (): Promise<void> => {
    asked.current += 1;
    const mine = asked.current;
    const list = await client.projects.list();
    // The answer to a later question has arrived before.
    if (mine < answered.current) return;
    answered.current = mine;
    setKnown(list);
    setProblem(undefined);
  }, [client]);
  const refresh = useCallback(() => {
    detach(load(), (error) => setProblem(plainError(error)));
  }, [load]);
  useEffect(refresh, [refresh, projectsRevision]);
  useEffect(() => {
    // The branch may have changed in a terminal meanwhile.
    const onVisible = (): void => {
      if (document.visibilityState === "visible") refresh();
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [refresh]);
  const value = useMemo((): Projects => {
    const { projects, can_add: canAdd, home } = known ?? noProjects;
    return {
      list: projects,
      canAdd,
      home,
      isLoaded: known !== undefined,
      problem,
      refresh,
      add: async (path) => {
        const added = await client.projects.add(path);
        await load();
        return added;
      },
      remove: async ({ id }) => {
        await client.projects.remove(id);
        await load();
      },
    };
  }, [client, known, load, problem, refresh]);
  return <ProjectsContext value={value}>{children}</ProjectsContext>;
}

export function useProjects(): Projects {
  const projects = useContext(ProjectsContext);
  if (!projects) throw new Error("Wrap this component in <ProjectsProvider>.");
  return projects;
}

/** The project that a directory belongs to. */
export function useProjectOf(cwd: string | undefined): Project | undefined {
  return projectOf(useProjects().list, cwd);
}

/** A directory of the server's machine as people write it. */
export function useDisplayPath(path: string | undefined): string | undefined {
  const { list, home } = useProjects();
  return path === undefined ? undefined : displayPath(path, homeDirectory(list, home));
}
