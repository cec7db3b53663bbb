export type { AbortSignal } from "./abort-signal.ts";
export { type Clock, systemClock } from "./clock.ts";
export { type Defined, defined } from "./defined.ts";
export { detach, ignore } from "./detach.ts";
export { errorText } from "./error-text.ts";
export { isObject } from "./is-object.ts";
export { type LogFacts, type Logger, silentLogger } from "./logger.ts";
export {
  createStore,
  type ObservableStore,
  type ObservableStoreOptions,
} from "./observable-store.ts";
export { Semaphore } from "./semaphore.ts";
export { startTimer } from "./timer.ts";
