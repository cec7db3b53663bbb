import { type Clock, startTimer } from "@turnwire/base";
import type { ReadableLog } from "@turnwire/log";
import { InlinedLog } from "./inlined-log.ts";
import { type FrameLease, type WireFormat, withWholeContent } from "@turnwire/wire";
import { FoldedLog } from "./folded-log.ts";
import { encodeFolded, encodeStored } from "./frame-encoder.ts";
import { FrameLog, type FrameLogOptions } from "./frame-log.ts";
import type { FrameRingLimits } from "./frame-ring.ts";

export interface FrameLogsOptions {
  readonly clock: Clock;
  readonly ring?: FrameRingLimits;
  /** How long frames are kept after the last reader left: most readers that leave come back. */
  readonly lingerMs?: number;
}

/** Frames for any number of readers, whatever they are made from. */
export type SharedFrames = Pick<
  FrameLog<never>,
  "after" | "subscribe" | "end" | "close" | "listenerCount"
>;

/** Encoded history that readers further back share, per log. */
const HISTORY_BYTES = 2 * 1024 * 1024;

interface Entry {
  readonly frames: SharedFrames;
  holders: number;
  cancelDrop: (() => void) | undefined;
}

/** The encoded frames of all logs that have readers: one set per log and wire format. */
export class FrameLogs {
  readonly #options: Required<FrameLogsOptions>;
  readonly #entries = new Map<ReadableLog, Map<string, Entry>>();

  constructor(options: FrameLogsOptions) {
    this.#options = {
      ring: { maxEvents: 1024, maxBytes: 4 * 1024 * 1024 },
      lingerMs: 5_000,
      ...options,
    };
  }

  /** How many logs are held in frames right now. */
  get size(): number {
    return [...this.#entries.values()].reduce((sum, formats) => sum + formats.size, 0);
  }

  open(log: ReadableLog, wireFormat: WireFormat): FrameLease {
    const key = `${wireFormat.dialect.name}/${wireFormat.encoding.name}`;
    const entry = this.#entries.get(log)?.get(key) ?? this.#create(log, wireFormat, key);
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
    for (const formats of this.#entries.values()) {
      for (const entry of formats.values()) {
        entry.cancelDrop?.();
        entry.frames.close();
      }
    }
    this.#entries.clear();
  }

  #create(log: ReadableLog, wireFormat: WireFormat, key: string): Entry {
    const { ring } = this.#options;
    const frames = framesOf(log, wireFormat, { ring, historyBytes: HISTORY_BYTES });
    const entry: Entry = { frames, holders: 0, cancelDrop: undefined };
    const formats = this.#entries.get(log) ?? new Map<string, Entry>();
    formats.set(key, entry);
    this.#entries.set(log, formats);
    return entry;
  }

  #dropLater(log: ReadableLog, key: string, entry: Entry): void {
    const { clock, lingerMs } = this.#options;
    entry.cancelDrop = startTimer(clock, entry.frames.end ? 0 : lingerMs, () => {
      entry.frames.close();
      const formats = this.#entries.get(log);
      formats?.delete(key);
      if (formats?.size === 0) this.#entries.delete(log);
    });
  }
}

/** Only a stateful dialect pays for a fold. */
function framesOf(
  log: ReadableLog,
  { dialect, encoding }: WireFormat,
  limits: Pick<FrameLogOptions<never>, "ring" | "historyBytes">,
): SharedFrames {
  const { inlinedBytes } = dialect;
  const source = inlinedBytes === undefined ? log : new InlinedLog(log, inlinedBytes);
  if (dialect.type === "stateless") {
    const encode = encodeStored(dialect, encoding, log.sessionId);
    return new FrameLog({ log: source, encode, ...limits });
  }
  const encode = encodeFolded(dialect, encoding);
  const folded = new FoldedLog({
    source,
    log,
    ...(inlinedBytes !== undefined && {
      wholeMessage: (message) => withWholeContent(message, log, inlinedBytes),
    }),
  });
  return new FrameLog({ log: folded, encode, ...limits });
}
