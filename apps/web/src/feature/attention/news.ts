import type { SessionActivity, SessionInfo } from "@turnwire/protocol";

/** Something worth a notification. */
export interface News {
  readonly session: SessionInfo;
  readonly type: "waiting" | "done";
}

export type Activities = ReadonlyMap<string, SessionActivity>;

export function activitiesOf(sessions: readonly SessionInfo[]): Activities {
  return new Map(sessions.map(({ session_id, activity }) => [session_id, activity]));
}

/** Which sessions have started to wait or finished their work since `before`; sessions unknown before are not news. */
export function newsFrom(before: Activities, sessions: readonly SessionInfo[]): News[] {
  return sessions.flatMap((session): News[] => {
    const was = before.get(session.session_id);
    const { activity } = session;
    if (was === undefined || was === activity) return [];
    if (activity === "waiting") return [{ session, type: "waiting" }];
    return activity === "idle" && was === "working" ? [{ session, type: "done" }] : [];
  });
}
