import { foldAll, type SessionState } from "@turnwire/protocol";
import { eventFrom, type ReadableLog, StoreError } from "@turnwire/log";

const pageSize = 1000;

/** What is needed to fold a log from any state on. */
export type FoldableLog = Pick<ReadableLog, "sessionId" | "read" | "readBase">;

/** The state at `upTo`, or at a later base where retention has removed events meanwhile. */
export async function foldLog(
  log: FoldableLog,
  from: SessionState,
  upTo: number,
): Promise<SessionState> {
  let state = from;
  while (state.seq < upTo) {
    const page = await log.read(state.seq, Math.min(pageSize, upTo - state.seq));
    state =
      page[0]?.seq === state.seq + 1
        ? foldAll(
            state,
            page.map((stored) => eventFrom(log.sessionId, stored)),
          )
        : await baseAfter(log, state.seq);
  }
  return state;
}

/** Retention has removed the event after this seq: the base that it left includes it. */
async function baseAfter(log: FoldableLog, seq: number): Promise<SessionState> {
  const base = await log.readBase();
  if (base.seq > seq) return base;
  throw new StoreError("corrupt", `session ${log.sessionId} has no event ${seq + 1}`);
}
