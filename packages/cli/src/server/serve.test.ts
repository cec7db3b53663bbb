import { chmod, mkdir, stat } from "node:fs/promises";
import { demo } from "@turnwire/runtime/demo";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";

describe("turnwire serve", () => {
  let machine: TestMachine;

  beforeEach(async () => {
    machine = await TestMachine.create();
  });

  afterEach(() => machine.remove());

  test("counts guesses by the address that a trusted proxy names", async () => {
    const { url, stop } = await machine.serve("--trusted-proxy", "127.0.0.1");
    const guessFrom = async (address: string): Promise<number> => {
      const headers = { authorization: "Bearer wrong", "x-forwarded-for": address };
      return (await fetch(`${url}/sessions`, { headers })).status;
    };
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) statuses.push(await guessFrom("203.0.113.9"));
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
    expect(await guessFrom("203.0.113.10")).toBe(401);
    expect(await stop()).toBe(0);
  });

  test("keeps its data to itself, also in a directory that others could read", async () => {
    await mkdir(machine.dataDirectory, { recursive: true });
    await chmod(machine.dataDirectory, 0o755);
    const { stop } = await machine.serve();
    expect((await stat(machine.dataDirectory)).mode & 0o777).toBe(0o700);
    expect(await stop()).toBe(0);
  });

  test("gives agents a person's own settings, unless they are to be left out", async () => {
    const given: (boolean | undefined)[] = [];
    machine.createRuntimes = async ({ usesUserSettings }) => {
      given.push(usesUserSettings);
      return [demo({ delayMs: 0 })];
    };
    for (const flags of [[], ["--no-user-settings"]]) {
      const { stop } = await machine.serve(...flags);
      expect(await stop()).toBe(0);
    }
    expect(given).toEqual([true, false]);
  });
});
