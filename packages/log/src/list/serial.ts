/** Runs tasks one after the other, in the order they were given. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<Value>(task: () => Promise<Value> | Value): Promise<Value> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
