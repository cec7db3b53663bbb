import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkHistory } from "./hosts/check-history.ts";
import { entriesOf } from "./hosts/history.ts";
import { type Hosts, startHosts } from "./hosts/hosts.ts";
import { Recorder } from "./hosts/recorder.ts";
import { Sender } from "./hosts/sender.ts";
import { answerPermission, firstEvent } from "./hosts/two-answers.ts";

/** Long enough that a busy machine seldom loses leases by itself, which would only cost time. */
const leaseMs = 3_000;
/** Nothing disturbs the hosts while they are asked. */
const patienceMs = 240_000;

let directory: string;
let hosts: Hosts;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "tw-"));
  hosts = await startHosts({ directory, leaseMs });
});

afterAll(async () => {
  await hosts.close();
  await rm(directory, { recursive: true, force: true });
});

test("clients of three hosts see one log, and every input once, while a host is killed, one stalls and one is drained", async () => {
  const faults = ["kill", "pause", "drain"] as const;
  const history = await hosts.runChaos({ seed: 16, sessions: 3, faults, settleMs: 180_000 });
  // How soon is for the long run: here the machine may be busy.
  expect(checkHistory(history, { takeoverMs: Infinity })).toEqual([]);
  const suffered = entriesOf(history, "fault");
  expect(suffered.map(({ kind }) => kind)).toEqual(faults);
  expect(suffered.filter(({ openTurns }) => openTurns.length === 0)).toEqual([]);
});

test("of two answers to one permission on two hosts at the same moment one decides, the other gets a 409", async () => {
  const { token, cluster } = hosts;
  const sender = new Sender(new Recorder(), token);
  const [first, second, third] = cluster.hosts.map(({ door }) => door);
  if (!first || !second || !third) throw new Error("there are three hosts");
  for (let round = 1; round <= 3; round += 1) {
    const sessionId = `answers-${round}`;
    await sender.post(
      first,
      "/sessions",
      { session_id: sessionId, params: { delay_ms: 0 } },
      patienceMs,
    );
    await sender.post(
      second,
      `/sessions/${sessionId}/message`,
      { message: "/permission" },
      patienceMs,
    );
    const place = { token, sessionId };
    const request = await firstEvent(third, place, "permission_request");
    const correlationId = request.data.correlation_id;
    const answers = await Promise.all([
      answerPermission(sender, second, { sessionId, correlationId, behavior: "allow" }),
      answerPermission(sender, third, { sessionId, correlationId, behavior: "deny" }),
    ]);
    const resolved = await firstEvent(first, place, "permission_resolved");
    const winner = resolved.data.allowed ? 0 : 1;
    expect(answers[winner]).toMatchObject({ status: 202, answer: { accepted: true } });
    expect(answers[1 - winner]).toMatchObject({
      status: 409,
      answer: { error: { code: "already_resolved" } },
    });
  }
});
