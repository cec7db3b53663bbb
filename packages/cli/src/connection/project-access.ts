import { systemClock } from "@turnwire/base";
import type { Project, Result } from "@turnwire/protocol";
import { CliError } from "../error/cli-error.ts";
import { lockDataFor } from "./data-lock.ts";
import { clientFor, findServer, type ServerQuery } from "./server-address.ts";

/** The projects of a data directory, through its server or without one. */
export interface ProjectAccess {
  list(): Promise<readonly Project[]>;
  add(path: string): Promise<Project>;
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

export interface ProjectQuery extends ServerQuery {
  readonly home: string;
  readonly onError: (error: Error) => void;
}

/** With a server running, through it, so that open pages learn of a change. */
export async function openProjects(query: ProjectQuery): Promise<ProjectAccess> {
  const connection = await findServer(query);
  if (!connection) return openStoredProjects(query);
  const { projects } = clientFor(connection);
  return {
    list: async () => (await projects.list()).projects,
    add: (path) => projects.add(path),
    remove: (id) => projects.remove(id),
    close: async () => undefined,
  };
}

/** Holds the data directory meanwhile: no server, and no other command, writes the list at the same time. */
async function openStoredProjects(query: ProjectQuery): Promise<ProjectAccess> {
  // Loaded here: with a server running nothing of it is needed.
  const { createProjectFile, Projects } = await import("@turnwire/workspace");
  const { dataDirectory, home, onError } = query;
  const lock = await lockDataFor(dataDirectory);
  const projects = new Projects({
    roots: [],
    store: createProjectFile(dataDirectory, onError),
    dataDirectory,
    home,
    clock: systemClock,
    onChanged: () => undefined,
    onError: (error) => onError(error instanceof Error ? error : new Error(String(error))),
  });
  return {
    list: async () => (await projects.list({ id: "local", isAdmin: true })).projects,
    add: async (path) => valueOf(await projects.add(path)).project,
    remove: async (id) => valueOf(await projects.remove(id)),
    async close() {
      projects.close();
      lock.release();
    },
  };
}

function valueOf<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new CliError("usage", result.error.message);
}
