import { PathList, PathQuery, type Result, validate } from "@turnwire/protocol";
import { completeDirectory, findFiles } from "./path-search.ts";
import type { SessionHost } from "../../3-host/session-host.ts";
import { json, refused, openSession, type Call, type Route } from "@turnwire/wire";

/** Paths on this machine, for a UI that completes what a person types; nothing outside the projects. */
export function pathRoutes(host: SessionHost): Route[] {
  return [
    {
      method: "GET",
      path: "/paths",
      summary: "Complete a directory, or find files in one",
      access: "read",
      query: PathQuery,
      answers: { 200: { description: "What fits, best first", schema: PathList } },
      async handle(call) {
        const query = validate(PathQuery, Object.fromEntries(call.query));
        if (!query.ok) return refused(query.error);
        if (query.value.kind === "directory") {
          const allowed = await host.projects.allowed(call.principal);
          return json(200, { paths: await completeDirectory(allowed, query.value) });
        }
        const directory = await searchedDirectory(host, call, query.value);
        if (!directory.ok) return refused(directory.error);
        return json(200, { paths: await findFiles(directory.value, query.value) });
      },
    },
  ];
}

async function searchedDirectory(
  host: SessionHost,
  { principal }: Call,
  { session_id, cwd }: PathQuery,
): Promise<Result<string>> {
  if (session_id === undefined) return host.projects.admit(cwd, principal);
  const session = await openSession(host, { params: { session_id }, principal });
  if (!session.ok) return session;
  const { cwd: place = "", worktree } = session.value.info();
  return host.worktrees.readmit(place, worktree);
}
