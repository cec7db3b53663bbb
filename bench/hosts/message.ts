/** Messages between the measuring process and that of a host. */
import type { FailureReport } from "../child.ts";

export type HostCommand =
  /** Makes sessions that this host holds. */
  | { readonly type: "create"; readonly sessions: number }
  /** Appends so many events to each of its sessions, spread over the time; as fast as possible without one. */
  | {
      readonly type: "emit";
      readonly eventsEach: number;
      readonly seconds: number | undefined;
    }
  | { readonly type: "measure"; readonly collect: boolean }
  | { readonly type: "close" };

export interface HostFigures {
  /** Of the heap and outside of it. */
  readonly megabytes: number;
  /** Since it began. */
  readonly cpuMs: number;
}

export type HostReport =
  | { readonly type: "listening"; readonly port: number; readonly startMs: number }
  | { readonly type: "created"; readonly ids: readonly string[] }
  | { readonly type: "emitted" }
  | ({ readonly type: "measured" } & HostFigures)
  | { readonly type: "closed" }
  | FailureReport;

export const token = "bench-token-0123456789-abcdefghijklmnopqrstuvwxyz";
