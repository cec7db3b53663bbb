import { fold, initialState, type SessionEvent, type SessionState } from "@turnwire/protocol";
import type { LogEnd, StoredEvent } from "@turnwire/log";
import type { OpenSession } from "../../../../../wire/src/open-session.ts";

/** A client that follows a session across cuts and folds what it sees. */
export class ModelReader {
  readonly sessionId: string;
  /** Broken promises of the log, as they are seen. */
  readonly problems: string[] = [];
  state: SessionState | undefined;
  end: LogEnd | undefined;
  isConnected = false;
  #leave: () => void = () => undefined;
  #connection = 0;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  get cursor(): number {
    return this.state?.seq ?? 0;
  }

  /** Follows from the cursor, from the first event, or from a snapshot where retention made a gap. */
  async connect(session: OpenSession, isFromStart: boolean): Promise<void> {
    this.cut();
    const connection = ++this.#connection;
    const isCurrent = () => connection === this.#connection;
    const { log } = session;
    this.state ??= isFromStart && log.oldest === 1 ? initialState() : undefined;
    if (!this.state || log.verdict(this.state.seq).type === "gap") {
      const { state } = await session.snapshot();
      if (!isCurrent()) return;
      this.state = state;
    }
    const waiting: StoredEvent[] = [];
    let isCaughtUp = false;
    this.end = undefined;
    this.isConnected = true;
    const detach = session.attach();
    const unsubscribe = log.subscribe({
      onEvents: (events) => {
        if (isCaughtUp) this.#take(events);
        else waiting.push(...events);
      },
      onEnd: (reason) => {
        if (!isCurrent()) return;
        this.end = reason;
        this.isConnected = false;
        detach();
      },
    });
    this.#leave = () => {
      detach();
      unsubscribe();
    };
    const head = log.head;
    while (isCurrent() && this.cursor < head) {
      const page = await log.read(this.cursor, 5);
      if (!isCurrent()) return;
      if (page.length === 0) {
        this.problems.push(`nothing after ${this.cursor}, but the head was ${head}`);
        break;
      }
      if (page[0] && page[0].seq !== this.cursor + 1 && log.oldest > this.cursor + 1) {
        // Retention overtook the reader: it begins again from a snapshot.
        const { state } = await session.snapshot();
        if (!isCurrent()) return;
        this.state = state;
        break;
      }
      this.#take(page.filter((event) => event.seq <= head));
    }
    if (!isCurrent()) return;
    this.#take(waiting.filter((event) => event.seq > this.cursor));
    isCaughtUp = true;
  }

  cut(): void {
    this.#connection += 1;
    this.isConnected = false;
    this.#leave();
    this.#leave = () => undefined;
  }

  #take(stored: readonly StoredEvent[]): void {
    for (const { seq, json } of stored) {
      if (seq !== this.cursor + 1) this.problems.push(`saw ${seq} after ${this.cursor}`);
      const event: SessionEvent = JSON.parse(json);
      const before = this.state ?? initialState();
      this.state = fold(before, event);
      this.problems.push(...versionProblems(before, event));
    }
  }
}

/** Each change of the shared state has the version after the one before it. */
function versionProblems({ shared_version }: SessionState, { type, seq, data }: SessionEvent) {
  const isChange = type === "state_snapshot" || type === "state_delta";
  if (!isChange || data.version === shared_version + 1) return [];
  return [`${seq}: the shared state has version ${data.version} after ${shared_version}`];
}
