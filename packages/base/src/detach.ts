/** Lets a promise run on its own, on purpose; a rejection goes to `onError`. */
export function detach(promise: Promise<unknown>, onError: (error: unknown) => void): void {
  promise.catch(onError);
}

/** Takes a rejection that is reported elsewhere. */
export function ignore(): void {}
