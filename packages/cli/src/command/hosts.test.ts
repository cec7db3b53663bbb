import { describe, expect, test } from "vitest";
import { HostInfo } from "@turnwire/protocol";
import { useServedMachine } from "../test-support/served-machine.ts";

describe("turnwire hosts", () => {
  const served = useServedMachine();

  test("lists the server that runs, as a table and as JSON", async () => {
    await served.output("sessions", "new");
    const [host, ...more] = (await served.json("hosts", "--json")).map((line) =>
      HostInfo.parse(line),
    );
    expect(more).toEqual([]);
    expect(host).toMatchObject({ is_current: true, is_alive: true, sessions: 1 });
    const table = await served.output("hosts");
    expect(table).toMatch(/^ID +NAME +STATUS +STORAGE +SESSIONS +AGENTS +SEEN +STARTED +VERSION\n/);
    expect(table).toContain(`${host?.name} (this one)`);
    expect(table).toMatch(/ live +\S+ +1 +\d+ +\d+ s ago +just now /);
  });

  test("takes no words", async () => {
    const { code, stderr } = await served.machine.run(["hosts", "remove"]);
    expect(code).toBe(2);
    expect(stderr).toContain("remove");
  });
});
