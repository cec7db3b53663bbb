import { RuntimeError } from "@turnwire/runtime";

/** The slots in which agents run: a limit to how many live at once. */
export interface RunSlots {
  /** Waits for a slot; answers with how to give it back, which hands it to the request that has waited longest. */
  take(request: SlotRequest): Promise<() => void>;
  /** A session became idle: another may be waiting for its slot. */
  offerIdle(): void;
}

export interface SlotRequest {
  /** Rejects the request when it aborts before a slot is free. */
  readonly signal: AbortSignal;
  /** Whether to wait while every agent is at work; otherwise that rejects as `busy`. */
  readonly isPatient: boolean;
  /** Called when it has to wait although no idle agent could make room. */
  readonly onWaiting?: (limit: SlotLimit) => void;
}

/** How many agents may live at once, and who runs them. */
export interface SlotLimit {
  readonly limit: number;
  /** Whether those of other hosts count. */
  readonly isShared: boolean;
}

export function allBusy({ limit, isShared }: SlotLimit): RuntimeError {
  const owner = isShared ? "the hosts of this server run" : "this server runs";
  return new RuntimeError(
    "busy",
    `All ${limit} agents that ${owner} at once are busy. Try again later.`,
  );
}
