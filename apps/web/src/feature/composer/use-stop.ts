import { detach } from "@turnwire/base";
import { useActivity, useTurn } from "@turnwire/react";
import { type KeyboardEvent as FieldKeyboardEvent, useEffect, useRef, useState } from "react";
import { usePane } from "../page/pane.ts";
import { showError } from "../../element/toast.ts";
import { stopKey } from "./stop-key.ts";

export interface Stop {
  readonly isRunning: boolean;
  readonly isCancelling: boolean;
  /** What is running, in words. */
  readonly activity: string;
  /** Escape was pressed once. */
  readonly isAsked: boolean;
  readonly stop: () => void;
  /** For the keys of the message field; true if the key was handled. */
  readonly onKey: (event: FieldKeyboardEvent) => boolean;
}

/** The running turn, and every way to stop it. */
export function useStop(): Stop {
  const { isRunning, isCancelling, interrupt } = useTurn();
  const { label: activity } = useActivity();
  const [escapedAt, setEscapedAt] = useState<number>();
  const canStop = isRunning && !isCancelling;
  const stop = (): void => {
    setEscapedAt(undefined);
    if (canStop) detach(interrupt(), showError);
  };
  useWindowStopKey(stop);
  return {
    isRunning,
    isCancelling,
    activity,
    isAsked: canStop && escapedAt !== undefined,
    stop,
    onKey: (event) => {
      const { key, ctrlKey, metaKey, repeat, timeStamp } = event;
      if (key !== "Escape" || !canStop) {
        if (escapedAt !== undefined) setEscapedAt(undefined);
        return false;
      }
      const found = stopKey({ key, ctrlKey, metaKey, repeat, timeStamp }, escapedAt);
      if (found === "stop") stop();
      else if (found === "first") setEscapedAt(timeStamp);
      return found !== undefined;
    },
  };
}

/** Ctrl with a dot works wherever the focus is in this pane. */
function useWindowStopKey(stop: () => void): void {
  const pane = usePane();
  const latest = useRef(stop);
  useEffect(() => {
    latest.current = stop;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === "Escape" || stopKey(event, undefined) !== "stop") return;
      if (!pane.isActive()) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [pane]);
}
