/** Lets a promise go its own way on purpose; what it rejects with goes to `onError`. */
export function detach(promise: Promise<unknown>, onError: (error: unknown) => void): void {
  promise.catch(onError);
}
