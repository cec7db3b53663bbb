import type { Clock } from "../../1-runtime/clock.ts";
import type { EventLog } from "../../2-session/event-log.ts";
import { InlinedLog } from "./inlined-log.ts";
import { startTimer } from "../../2-session/timer.ts";
import { FrameLog, type Tongue } from "./frame-log.ts";
import type { FrameRingLimits } from "./frame-ring.ts";

export interface FrameLogsOptions {
  readonly clock: Clock;
  readonly ring?: FrameRingLimits;
  readonly historyBytes?: number;
  /** How long frames are kept after the last reader left: most readers that leave come back. */
  readonly lingerMs?: number;
}

/** A reader's hold on shared frames. */
export interface FrameLease {
  readonly frames: FrameLog;
  release(): void;
}

interface Entry {
  readonly frames: FrameLog;
  holders: number;
  cancelDrop: (() => void) | undefined;
}

/** The encoded frames of all logs that have readers: one set for each log and tongue. */
export class FrameLogs {
  readonly #options: Required<FrameLogsOptions>;
  readonly #entries = new Map<EventLog, Map<string, Entry>>();

  constructor(options: FrameLogsOptions) {
    this.#options = {
      ring: { maxEvents: 1024, maxBytes: 4 * 1024 * 1024 },
      historyBytes: 2 * 1024 * 1024,
      lingerMs: 5_000,
      ...options,
    };
  }

  /** How many logs are held in frames right now. */
  get size(): number {
    return [...this.#entries.values()].reduce((sum, tongues) => sum + tongues.size, 0);
  }

  open(log: EventLog, tongue: Tongue): FrameLease {
    const key = `${tongue.dialect.name}/${tongue.encoding.name}`;
    const entry = this.#entries.get(log)?.get(key) ?? this.#create(log, tongue, key);
    entry.cancelDrop?.();
    entry.cancelDrop = undefined;
    entry.holders += 1;
    let isHeld = true;
    return {
      frames: entry.frames,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        entry.holders -= 1;
        if (entry.holders === 0) this.#dropLater(log, key, entry);
      },
    };
  }

  /** Lets go of every log at once. */
  close(): void {
    for (const tongues of this.#entries.values()) {
      for (const entry of tongues.values()) {
        entry.cancelDrop?.();
        entry.frames.close();
      }
    }
    this.#entries.clear();
  }

  #create(log: EventLog, tongue: Tongue, key: string): Entry {
    const { ring, historyBytes } = this.#options;
    const { inlinedBytes } = tongue.dialect;
    const source = inlinedBytes === undefined ? log : new InlinedLog(log, inlinedBytes);
    const frames = new FrameLog({ log: source, tongue, ring, historyBytes });
    const entry: Entry = { frames, holders: 0, cancelDrop: undefined };
    const tongues = this.#entries.get(log) ?? new Map<string, Entry>();
    tongues.set(key, entry);
    this.#entries.set(log, tongues);
    return entry;
  }

  #dropLater(log: EventLog, key: string, entry: Entry): void {
    const { clock, lingerMs } = this.#options;
    entry.cancelDrop = startTimer(clock, entry.frames.end ? 0 : lingerMs, () => {
      entry.frames.close();
      const tongues = this.#entries.get(log);
      tongues?.delete(key);
      if (tongues?.size === 0) this.#entries.delete(log);
    });
  }
}
