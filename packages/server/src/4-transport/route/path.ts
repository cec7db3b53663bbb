import { PathList, PathQuery, type Result, validate } from "@turnwire/protocol";
import { completeDirectory, findFiles } from "./path-search.ts";
import type { SessionHost } from "../../2-session/session-host.ts";
import { resolveWorkingDirectory } from "../../2-session/working-directory.ts";
import { json, refused } from "../http-response.ts";
import { openSession, type Call, type Route } from "../route.ts";

/** Paths on this machine, for a UI that completes what a person types; nothing outside the roots. */
export function pathRoutes(host: SessionHost): Route[] {
  return [
    {
      method: "GET",
      path: "/paths",
      summary: "Complete a directory, or find files in one",
      access: "principal",
      query: PathQuery,
      answers: { 200: { description: "What fits, best first", schema: PathList } },
      async handle(call) {
        const query = validate(PathQuery, Object.fromEntries(call.query));
        if (!query.ok) return refused(query.error);
        if (query.value.kind === "directory") {
          return json(200, { paths: await completeDirectory(host.roots, query.value) });
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
  if (session_id === undefined) {
    return resolveWorkingDirectory(cwd ?? host.roots[0] ?? "", host.roots);
  }
  const session = await openSession(host, { params: { session_id }, principal });
  if (!session.ok) return session;
  return resolveWorkingDirectory(session.value.info().cwd ?? "", host.roots);
}
