import * as z from "zod";
import type { ThreadMessage } from "../protocol/thread-router.ts";

/** How a thread is called: Codex shows its beginning until somebody names it. */
export interface ThreadName {
  readonly name?: string | null | undefined;
  readonly preview?: string | null | undefined;
}

const maxLength = 500;

const Renamed = z.object({ threadName: z.string() });

export function titleOf({ name, preview }: ThreadName): string | undefined {
  return (name || preview || undefined)?.slice(0, maxLength);
}

/** Gives a thread the title that its session has. */
export class Title {
  #wanted: string | undefined;
  /** What the thread is called, as far as we know. */
  #known: string | undefined;

  constructor(wanted: string | undefined) {
    this.#wanted = wanted;
  }

  set(title: string): void {
    this.#wanted = title;
  }

  /** The session's thread was opened, and is called so. */
  opened(thread: ThreadName): void {
    this.#known = titleOf(thread);
  }

  /** Names the thread, unless it is called so already. */
  async pass(name: (title: string) => Promise<unknown>): Promise<void> {
    const title = this.#wanted?.trim();
    if (!title || title === this.#known) return;
    this.#known = title;
    await name(title);
  }

  /** Whether Codex only repeats what it was given: a new name is reported to all, also to whoever gave it. */
  isEcho({ method, params }: ThreadMessage): boolean {
    if (method !== "thread/name/updated") return false;
    return Renamed.safeParse(params).data?.threadName === this.#known;
  }
}
