import type { FollowEnd, OpenSession } from "@turnwire/wire";
import type { Channel } from "./channel.ts";
import type { Followed } from "./relay-frames.ts";

export interface FollowedChannelOptions {
  readonly channel: Channel;
  /** Whether the front end follows others too. */
  readonly hasOthers: () => boolean;
  /** There may be more to take. */
  readonly onMore: () => void;
  readonly onEnd: (reason: FollowEnd) => void;
}

/** A conversation of a front end: its lines so far, then each when the CLI writes it. */
export class FollowedChannel implements Followed {
  readonly #options: FollowedChannelOptions;
  readonly #leave: () => void;
  #index = 0;

  constructor(options: FollowedChannelOptions) {
    this.#options = options;
    this.#leave = options.channel.subscribe(options.onMore);
  }

  get session(): OpenSession | undefined {
    return this.#options.channel.session;
  }

  get cursor(): number | undefined {
    return this.#options.channel.position;
  }

  get isRead(): boolean {
    return this.#options.channel.at(this.#index) === undefined;
  }

  take(): Buffer | undefined {
    const { channel, hasOthers, onEnd } = this.#options;
    const line = channel.at(this.#index);
    if (line === "gone") onEnd("gone");
    else if (line) {
      this.#index += 1;
      return hasOthers() ? line.named : line.bytes;
    } else if (channel.end) onEnd(channel.end);
    return undefined;
  }

  release(): void {
    this.#leave();
  }
}
