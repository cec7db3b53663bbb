import type { Clock } from "@turnwire/base";
import {
  type CliLink,
  type DialInHost,
  type DialInPort,
  finalCloseCode,
  RuntimeError,
} from "@turnwire/runtime";
import { CliConnection } from "./cli-connection.ts";
import { DialledCli } from "./dialled-cli.ts";

/** All CLIs that have dialled in, by their conversations. */
export class DialIn implements DialInPort {
  readonly #clock: Clock;
  readonly #returnMs: number;
  readonly #clis = new Map<
    string,
    { readonly cli: DialledCli; readonly owner: string; ours: Promise<string> | undefined }
  >();

  constructor(clock: Clock, returnMs: number) {
    this.#clock = clock;
    this.#returnMs = returnMs;
  }

  /** The CLI of a conversation, connected or expected back. */
  find(providerSessionId: string): DialledCli | undefined {
    return this.#clis.get(providerSessionId)?.cli;
  }

  /** Reads a connection that a CLI has opened. */
  connect(link: CliLink, host: DialInHost): CliConnection {
    return new CliConnection(link, {
      clock: this.#clock,
      enter: (id, introduction) => {
        const known = this.#clis.get(id);
        if (known && !host.mayTake(known.owner)) throw takenByAnother();
        const cli = known?.cli ?? this.#create(id, introduction, host);
        // It may be half dead, or of another process with the same conversation, which must not dial in again.
        void cli.attach(link)?.close(finalCloseCode);
        return cli;
      },
      adopt: (cli, facts) => {
        const entry = this.#clis.get(cli.sessionId);
        const ours = entry?.ours ?? host.adopt({ providerSessionId: cli.sessionId, ...facts });
        if (entry) entry.ours = ours;
        return ours;
      },
      onError: host.onError,
    });
  }

  #create(id: string, introduction: DialledCli["introduction"], host: DialInHost): DialledCli {
    const cli = new DialledCli({
      sessionId: id,
      clock: this.#clock,
      returnMs: this.#returnMs,
      introduction,
      onEnded: (link) => {
        this.#clis.delete(id);
        host.onLeft(id, link);
      },
    });
    this.#clis.set(id, { cli, owner: host.owner, ours: undefined });
    return cli;
  }
}

function takenByAnother(): RuntimeError {
  return new RuntimeError("not_available", "This conversation is a session of somebody else.");
}
