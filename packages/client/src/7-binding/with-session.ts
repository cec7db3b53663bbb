import type { Session } from "../6-session/session.ts";

/** Runs a command on the session that requests and messages belong to. */
export type WithSession = <Result>(run: (session: Session) => Promise<Result>) => Promise<Result>;
