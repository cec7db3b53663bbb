import { createStore } from "@turnwire/base";
import { plainError } from "./plain-error.ts";
import { useStore } from "./use-store.ts";

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
  /** Called when it disappears without its action being chosen. */
  readonly onEnd?: () => void;
}

const LIFE_MS = 6_000;

const toasts = createStore<readonly Toast[]>([]);
let newest = 0;
const endings = new Map<number, { timer: ReturnType<typeof setTimeout>; onEnd?: () => void }>();

/** Shows a short text at the edge of the window for a while. */
export function showToast(text: string, options: ToastOptions = {}): void {
  const { action, isError = false, lifeMs = LIFE_MS, onEnd } = options;
  newest += 1;
  const id = newest;
  endings.set(id, {
    timer: setTimeout(() => dismissToast(id), lifeMs),
    ...(onEnd && { onEnd }),
  });
  toasts.set([...toasts.get(), { id, text, isError, ...(action && { action }) }]);
}

/** Shows what went wrong, in plain words. */
export function showError(error: unknown): void {
  showToast(plainError(error).replaceAll("`", ""), { isError: true });
}

export function dismissToast(id: number): void {
  remove(id)?.onEnd?.();
}

export function chooseToastAction({ id, action }: Toast): void {
  remove(id);
  action?.run();
}

function remove(id: number): { onEnd?: () => void } | undefined {
  const ending = endings.get(id);
  endings.delete(id);
  clearTimeout(ending?.timer);
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
  return ending;
}

export function useToasts(): readonly Toast[] {
  return useStore(toasts);
}
