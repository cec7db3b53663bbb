import type { SessionInfo } from "@turnwire/protocol";
import { inOrderOf } from "../../element/kept-order.ts";
import { ARCHIVED, type SessionGroup } from "./session-group.ts";

/**
 * The newest groups, with every session and every group where it was shown before. Only archiving a session and its
 * opposite move it, because they change what can be done with it.
 */
export function groupsInPlace(
  before: readonly SessionGroup[],
  newest: readonly SessionGroup[],
): SessionGroup[] {
  const groupBefore = new Map(
    before
      .filter(({ key }) => key !== ARCHIVED)
      .flatMap(({ key, sessions }) => sessions.map(({ session_id }) => [session_id, key] as const)),
  );
  const orderBefore = (key: string): string[] =>
    before.find((group) => group.key === key)?.sessions.map(idOf) ?? [];
  const stays = (session: SessionInfo, { key }: SessionGroup): string =>
    key === ARCHIVED ? ARCHIVED : (groupBefore.get(session.session_id) ?? key);
  const membersOf = (key: string): SessionInfo[] =>
    newest.flatMap((group) => group.sessions.filter((session) => stays(session, group) === key));
  const newestKeys = new Set(newest.map(keyOf));
  const vanished = before.filter(({ key }) => !newestKeys.has(key));
  return inOrderOf(before.map(keyOf), [...newest, ...vanished], keyOf)
    .map((group) => ({
      ...group,
      sessions: inOrderOf(orderBefore(group.key), membersOf(group.key), idOf),
    }))
    .filter(
      ({ key, project, sessions }) => sessions.length > 0 || (project && newestKeys.has(key)),
    );
}

function keyOf({ key }: SessionGroup): string {
  return key;
}

function idOf({ session_id: id }: SessionInfo): string {
  return id;
}
