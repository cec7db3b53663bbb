interface Gate {
  readonly reached: Promise<void>;
  readonly released: Promise<void>;
  readonly reach: () => void;
  readonly release: () => void;
}

/** Points at which streams wait until a test lets them continue. A released gate stays open. */
export class Gates {
  readonly #gates = new Map<string, Gate>();

  /** Resolves when a stream waits at the gate, or did. */
  reached(name: string): Promise<void> {
    return this.#gate(name).reached;
  }

  release(name: string): void {
    this.#gate(name).release();
  }

  /** Waits at the gate; rejects with the signal's reason when the stream is given up. */
  async pass(name: string, signal: AbortSignal): Promise<void> {
    const gate = this.#gate(name);
    gate.reach();
    signal.throwIfAborted();
    const { promise: givenUp, cancel } = rejectionOf(signal);
    try {
      await Promise.race([gate.released, givenUp]);
    } finally {
      cancel();
    }
  }

  #gate(name: string): Gate {
    const known = this.#gates.get(name);
    if (known) return known;
    const reached = latch();
    const released = latch();
    const gate = {
      reached: reached.opened,
      released: released.opened,
      reach: reached.open,
      release: released.open,
    };
    this.#gates.set(name, gate);
    return gate;
  }
}

function latch(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function rejectionOf(signal: AbortSignal): { promise: Promise<never>; cancel: () => void } {
  let cancel: () => void = () => undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    cancel = () => signal.removeEventListener("abort", onAbort);
  });
  return { promise, cancel };
}
