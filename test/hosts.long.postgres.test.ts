import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkHistory } from "./hosts/check-history.ts";
import { entriesOf, faultKinds } from "./hosts/history.ts";
import { startHosts } from "./hosts/hosts.ts";

const leaseMs = 3_000;
/** `npm run chaos` holds takeovers to the lease time plus one second; here the machine may be busy too. */
const takeoverMs = leaseMs + 60_000;

test("clients of three hosts see one log, and every input once, while hosts and the database are killed, stopped, cut off and drained", async () => {
  const directory = await mkdtemp(join(tmpdir(), "tw-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const hosts = await startHosts({ directory, leaseMs });
  onTestFinished(() => hosts.close());
  const history = await hosts.runChaos({
    seed: 16,
    sessions: 4,
    faults: faultKinds,
    settleMs: 120_000,
  });
  expect(checkHistory(history, { takeoverMs })).toEqual([]);
  const suffered = entriesOf(history, "fault");
  expect(suffered.map(({ kind }) => kind)).toEqual(faultKinds);
  const met = suffered.filter(({ openTurns }) => openTurns.length > 0);
  expect(met.map(({ kind }) => kind)).toEqual(["kill", "pause", "cut", "drain"]);
});
