/** Lets a promise run on its own; what goes wrong is told to whoever shows errors. */
export function detach(promise: Promise<unknown>, onError: (error: unknown) => void): void {
  promise.catch(onError);
}
