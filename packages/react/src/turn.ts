import type { SessionView } from "@turnwire/client";
import type { Turn } from "@turnwire/protocol";
import { useMemo } from "react";
import { useSession } from "./session-provider.tsx";
import { useSessionSelector } from "./session-selector.ts";

export interface TurnState {
  /** The turn that runs; null between turns. */
  readonly turn: Turn | null;
  readonly isRunning: boolean;
  /** This client asked the turn to stop, and it has not ended yet. */
  readonly isCancelling: boolean;
  /** Asks the running turn to stop; harmless when none runs. */
  readonly interrupt: () => Promise<void>;
}

/** The turn that runs, and the way to stop it. */
export function useTurn(): TurnState {
  const session = useSession();
  const turn = useSessionSelector(turnOf);
  const isCancelling = useSessionSelector(isCancellingOf);
  return useMemo(
    () => ({
      turn,
      isRunning: turn !== null,
      isCancelling,
      interrupt: () => session.interrupt(),
    }),
    [session, turn, isCancelling],
  );
}

function turnOf({ session }: SessionView): Turn | null {
  return session.turn;
}

function isCancellingOf({ isCancelling }: SessionView): boolean {
  return isCancelling;
}
