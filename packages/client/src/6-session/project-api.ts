import type { Project, ProjectList } from "@turnwire/protocol";
import type { Http } from "../5-connection/http.ts";
import type { CallOptions } from "./session-api.ts";

/** The directories in which sessions can be created. */
export interface ProjectApi {
  list(options?: CallOptions): Promise<ProjectList>;
  /** Adds a directory, or answers with the project that it is already. */
  add(path: string, options?: CallOptions): Promise<Project>;
  /** Takes a project out of the list; its sessions and files stay. */
  remove(projectId: string, options?: CallOptions): Promise<void>;
}

export function createProjectApi(http: Http): ProjectApi {
  const path = ["projects"];
  return {
    list: (call) => http.json({ method: "GET", path, ...call }),
    add: (directory, call) =>
      http.json({ method: "POST", path, body: { path: directory }, ...call }),
    async remove(projectId, call) {
      await http.text({ method: "DELETE", path: [...path, projectId], ...call });
    },
  };
}
