import { useSyncExternalStore } from "react";

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

interface ToastOptions {
  readonly action?: Toast["action"];
  readonly isError?: boolean;
  readonly lifeMs?: number;
  /** Called when it went away without its action being chosen. */
  readonly onEnd?: () => void;
}

const LIFE_MS = 6_000;

let toasts: readonly Toast[] = [];
let newest = 0;
const listeners = new Set<() => void>();
const endings = new Map<number, { timer: ReturnType<typeof setTimeout>; onEnd?: () => void }>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a line at the edge of the window for a while. */
export function showToast(text: string, options: ToastOptions = {}): void {
  const { action, isError = false, lifeMs = LIFE_MS, onEnd } = options;
  newest += 1;
  const id = newest;
  endings.set(id, {
    timer: setTimeout(() => dismissToast(id), lifeMs),
    ...(onEnd && { onEnd }),
  });
  change([...toasts, { id, text, isError, ...(action && { action }) }]);
}

/** Tells a person that something did not work. */
export function showError(error: unknown): void {
  showToast(error instanceof Error ? error.message : String(error), { isError: true });
}

export function dismissToast(id: number): void {
  takeAway(id)?.onEnd?.();
}

export function chooseToastAction({ id, action }: Toast): void {
  takeAway(id);
  action?.run();
}

function takeAway(id: number): { onEnd?: () => void } | undefined {
  const ending = endings.get(id);
  endings.delete(id);
  clearTimeout(ending?.timer);
  change(toasts.filter((toast) => toast.id !== id));
  return ending;
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
}
