/** Messages between the measuring and the reading process. */
import type { FailureReport } from "../child.ts";

export interface StreamPlan {
  /** The request, as it goes over the socket. */
  readonly request: string;
  readonly readers: number;
  /** How many more connect and ask, but take nothing of what they get. */
  readonly stalled?: number;
}

export interface LoadPlan {
  readonly port: number;
  readonly streams: readonly StreamPlan[];
  /** Every stream ends with this seq. */
  readonly lastSeq: number;
}

export type LoadCommand =
  | { readonly type: "connect"; readonly plan: LoadPlan }
  | { readonly type: "ask" }
  | { readonly type: "disconnect" };

export type LoadReport =
  | { readonly type: "connected" }
  | { readonly type: "answered" }
  | ({ readonly type: "done" } & LoadOutcome)
  | { readonly type: "disconnected" }
  | FailureReport;

/** What all readers together saw: every event of their stream, once, in order, byte for byte alike. */
export interface LoadOutcome {
  readonly deliveries: number;
  readonly bytes: number;
  /** When the last reader had its last event, on the clock that all processes share. */
  readonly doneAtMs: number;
  /** From the mark in an event's text to its arrival; empty where events carry no mark. */
  readonly latency?: { readonly p50Ms: number; readonly p99Ms: number };
}

/** Milliseconds that mean the same in every process of this machine. */
export function sharedNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
