/** Lets a promise run on its own; what it rejects with has somewhere to go. */
export function detach(promise: Promise<unknown>, onError: (error: unknown) => void): void {
  promise.catch(onError);
}
