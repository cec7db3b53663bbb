import { defined } from "@turnwire/base";
import { ClientError, type SessionQuery, type TurnwireClient } from "@turnwire/client";
import type { CreateSession, SessionInfo } from "@turnwire/protocol";
import { CliError } from "../error/cli-error.ts";

const PAGE = 100;
const SHORTEST_PREFIX = 4;

/** Every session of the server that the query wants, newest update first. */
export async function* everySession(
  client: TurnwireClient,
  query: Pick<SessionQuery, "status" | "activity"> = {},
): AsyncGenerator<SessionInfo> {
  let after: string | undefined;
  do {
    const page = await client.sessions.list({
      ...query,
      limit: PAGE,
      ...defined({ after }),
    });
    yield* page.sessions;
    after = page.next;
  } while (after !== undefined);
}

function isUnknown(error: unknown): boolean {
  return error instanceof ClientError && error.error?.code === "session_not_found";
}

async function sessionsStartingWith(
  client: TurnwireClient,
  prefix: string,
): Promise<SessionInfo[]> {
  const found: SessionInfo[] = [];
  for await (const session of everySession(client)) {
    if (session.session_id.startsWith(prefix)) found.push(session);
  }
  return found;
}

/** The session with this id, or the only one whose id begins with it. */
export async function findSession(client: TurnwireClient, given: string): Promise<SessionInfo> {
  try {
    return await client.sessions.get(given);
  } catch (error) {
    if (!isUnknown(error)) throw error;
  }
  const found = given.length < SHORTEST_PREFIX ? [] : await sessionsStartingWith(client, given);
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  throw new CliError(
    "server_refused",
    only
      ? `${found.length} sessions begin with "${given}": write more of the id.`
      : `There is no session "${given}": see turnwire sessions.`,
  );
}

/** The shortest beginnings, 8 letters or more, that tell these ids apart. */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const longest = Math.max(0, ...ids.map((id) => id.length));
  for (let length = 8; length < longest; length += 4) {
    const short = new Set(ids.map((id) => id.slice(0, length)));
    if (short.size === ids.length) return new Map(ids.map((id) => [id, id.slice(0, length)]));
  }
  return new Map(ids.map((id) => [id, id]));
}

export interface NewSession {
  readonly wish: CreateSession;
  /** Where the person is: the agent works there unless the server does not allow it. */
  readonly here: string | undefined;
}

/**
 * Makes a session where the person is. Whoever runs a server of their own may work there: it becomes
 * a project. On a server with roots, a directory that was not asked for by name is only a suggestion.
 */
export async function createSession(
  client: TurnwireClient,
  { wish, here }: NewSession,
): Promise<SessionInfo> {
  if (wish.cwd !== undefined || here === undefined) return client.sessions.create(wish);
  const placed = { ...wish, cwd: here };
  try {
    return await client.sessions.create(placed);
  } catch (error) {
    const refusal = error instanceof ClientError ? error.error : undefined;
    if (refusal?.code !== "cwd_not_allowed") throw error;
    const isAdded = refusal.details?.["can_add"] === true && (await isProject(client, here));
    return client.sessions.create(isAdded ? placed : wish);
  }
}

/** Adds a directory as a project; some cannot be one. */
async function isProject(client: TurnwireClient, path: string): Promise<boolean> {
  try {
    await client.projects.add(path);
    return true;
  } catch (error) {
    if (error instanceof ClientError && error.error?.code === "invalid_request") return false;
    throw error;
  }
}
