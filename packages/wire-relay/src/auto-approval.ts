import { detach } from "@turnwire/base";
import {
  openRequests,
  type OpenRequest,
  type SessionEvent,
  type Principal,
} from "@turnwire/protocol";
import { eventFrom } from "@turnwire/log";
import type { AdoptedCli } from "@turnwire/runtime";
import type { OpenSession, WireHost } from "@turnwire/wire";

/** Whom the log names as the one who answered. */
const approver: Principal = { id: "auto-approve", isAdmin: true };

/**
 * Allows every use of a tool that a CLI asks for while it is connected. Not its questions and hooks,
 * which have no yes, and not what a policy wants a person to decide.
 */
export class AutoApproval {
  readonly #host: Pick<WireHost, "openOrRead">;
  readonly #onError: (error: unknown) => void;

  constructor(host: Pick<WireHost, "openOrRead">, onError: (error: unknown) => void) {
    this.#host = host;
    this.#onError = onError;
  }

  watch(cli: AdoptedCli): void {
    let isOver = false;
    const watched = new Map<string, () => void>();
    const stop = cli.onSession((id) => {
      if (watched.has(id)) return;
      watched.set(id, () => undefined);
      const opened = this.#open(id).then((leave) => {
        if (isOver) leave();
        else watched.set(id, leave);
      });
      detach(opened, this.#onError);
    });
    const ended = cli.ended.finally(() => {
      isOver = true;
      stop();
      for (const leave of watched.values()) leave();
    });
    detach(ended, this.#onError);
  }

  /** The returned function ends the watch. */
  async #open(sessionId: string): Promise<() => void> {
    const opened = await this.#host.openOrRead(sessionId, approver);
    if (!opened.ok) return () => undefined;
    const session = opened.value;
    const detachSession = session.attach();
    const leave = session.log.subscribe({
      onEvents: (events) => {
        for (const event of events) {
          if (event.type === "permission_request")
            this.#approve(session, eventFrom(sessionId, event));
        }
      },
      onEnd: () => undefined,
    });
    for (const request of openRequests(session.control)) this.#approve(session, request);
    return () => {
      leave();
      detachSession();
    };
  }

  #approve(session: OpenSession, request: SessionEvent | OpenRequest): void {
    if (request.type !== "permission_request" || request.data.policy) return;
    const { correlation_id } = request.data;
    const command = { type: "permission_response", correlation_id, behavior: "allow" } as const;
    // Somebody may have been faster: then theirs counts.
    detach(session.execute(command, approver), this.#onError);
  }
}
