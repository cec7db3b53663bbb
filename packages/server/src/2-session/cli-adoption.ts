import type { CliLink } from "../1-runtime/claude-cli/cli-link.ts";
import type { Principal } from "./principal.ts";

/** A CLI that dialled in, from when its connection opened to when that is over. */
export interface AdoptedCli {
  /** Our session that it works in; undefined until the CLI has named it, which it does with its first turn. */
  readonly sessionId: string | undefined;
  /** Called with our session's id whenever the CLI has come to work in it; returns how to stop that. */
  onSession(listener: (sessionId: string) => void): () => void;
  /**
   * Passes a line of a front end to a CLI that has not named a session yet: without a first message it never
   * does. False when it has a session: then the line is a command of that session.
   */
  send(line: string): Promise<boolean>;
  /** Settles when the connection is over or was replaced by a newer one of the same CLI. */
  readonly ended: Promise<void>;
}

/** Makes a CLI that dialled in the agent of a session, which `principal` owns where it is a new one. */
export type AdoptCli = (link: CliLink, principal: Principal) => AdoptedCli;

export function createCliAdoption(): AdoptCli {
  return (link) => ({
    sessionId: undefined,
    onSession: () => () => undefined,
    send: () => Promise.resolve(false),
    ended: link.close(4001),
  });
}
