import type { Session } from "../6-session/session.ts";

/** Runs a command on the session that requests and messages belong to. */
export type WithSession = <Answer>(run: (session: Session) => Promise<Answer>) => Promise<Answer>;
