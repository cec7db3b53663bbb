import { afterEach, beforeEach, expect } from "vitest";
import { TestMachine } from "./cli-run.ts";

export interface ServedMachine {
  readonly machine: TestMachine;
  stop(): Promise<number>;
  /** Starts the server again after `stop`. */
  restart(...args: readonly string[]): Promise<void>;
  /** What a command that succeeds prints, with nothing on standard error. */
  output(...args: readonly string[]): Promise<string>;
  /** The same, each line read as JSON. */
  json(...args: readonly string[]): Promise<unknown[]>;
}

/** A machine with a running server for each test of the suite that calls this. */
export function useServedMachine(): ServedMachine {
  let current: TestMachine | undefined;
  let stop: (() => Promise<number>) | undefined;

  beforeEach(async () => {
    current = await TestMachine.create();
    ({ stop } = await current.serve());
  });

  afterEach(async () => {
    await stop?.();
    await current?.remove();
  });

  const served: ServedMachine = {
    get machine() {
      if (current) return current;
      throw new Error("There is a machine while a test runs only.");
    },
    async stop() {
      const code = await stop?.();
      stop = undefined;
      return code ?? 0;
    },
    async restart(...args) {
      ({ stop } = await served.machine.serve(...args));
    },
    async output(...args) {
      const { code, stdout, stderr } = await served.machine.run(args);
      expect(stderr).toBe("");
      expect(code).toBe(0);
      return stdout;
    },
    async json(...args) {
      const lines = (await served.output(...args)).split("\n").filter(Boolean);
      return lines.map((line): unknown => JSON.parse(line));
    },
  };
  return served;
}
