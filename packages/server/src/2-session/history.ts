import { defined } from "@turnwire/base";
import {
  accepted,
  type CreateSession,
  type PastSession,
  rejected,
  type Result,
  type SessionInfo,
} from "@turnwire/protocol";
import type { Principal } from "./principal.ts";
import type { SessionHost } from "./session-host.ts";

/** What agents' own programs left on this machine: it belongs to whoever runs the server. */
export async function listHistory(host: SessionHost, principal: Principal): Promise<PastSession[]> {
  if (!principal.isAdmin) return [];
  const lists = await Promise.all(
    Array.from(host.histories, async ([name, history]) => {
      try {
        return Array.from(await history.list(), (past) => ({ ...past, runtime: name }));
      } catch (error) {
        // One agent whose past cannot be read does not hide the others'.
        host.report(error);
        return [];
      }
    }),
  );
  return lists.flat().toSorted((left, right) => right.updated_at.localeCompare(left.updated_at));
}

/** Makes a session of a past one: its whole conversation is in the log, and the agent continues it. */
export async function importPast(
  host: SessionHost,
  past: Pick<PastSession, "runtime" | "provider_session_id"> & Pick<CreateSession, "session_id">,
  principal: Principal,
): Promise<Result<SessionInfo>> {
  const { runtime: name, provider_session_id, session_id } = past;
  const history = host.histories.get(name);
  if (!history) return rejected("capability_missing", `The runtime ${name} has no history.`);
  const known = (await history.list()).find(
    (entry) => entry.provider_session_id === provider_session_id,
  );
  const events = known && (await history.read(provider_session_id));
  if (!events) {
    return rejected("not_found", `${name} has no session ${provider_session_id} on this machine.`);
  }
  const { cwd, title } = known;
  const created = await host.create(
    {
      runtime: name,
      ...defined({ session_id }),
      ...(cwd !== undefined && { cwd }),
      ...(title !== undefined && { title }),
    },
    principal,
    { past: async () => ({ origin: { provider_session_id }, history: [events] }) },
  );
  return created.ok ? accepted(created.value.info()) : created;
}
