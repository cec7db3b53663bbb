import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkHistory } from "./hosts/check-history.ts";
import { entriesOf, faultKinds } from "./hosts/history.ts";
import { type Hosts, startHosts } from "./hosts/hosts.ts";
import { Recorder } from "./hosts/recorder.ts";
import { Sender } from "./hosts/sender.ts";
import { answerPermission, firstEvent } from "./hosts/two-answers.ts";

/** Long enough that a busy machine does not lose leases by itself. */
const leaseMs = 3_000;
/** The long run holds takeovers to the lease time plus one second; here the machine may be busy too. */
const takeoverMs = leaseMs + 20_000;

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

test("clients of three hosts see one log, and every input once, while hosts and the database are killed, stopped, cut off and drained", async () => {
  const history = await hosts.runChaos({ seed: 16, sessions: 4, faults: faultKinds });
  expect(checkHistory(history, { takeoverMs })).toEqual([]);
  expect(entriesOf(history, "fault").map(({ kind }) => kind)).toEqual(faultKinds);
  const met = entriesOf(history, "fault").filter(({ openTurns }) => openTurns.length > 0);
  expect(met.map(({ kind }) => kind)).toEqual(["kill", "pause", "cut", "drain"]);
});

test("of two answers to one permission on two hosts at the same moment one decides, the other gets a 409", async () => {
  const { token, cluster } = hosts;
  const sender = new Sender(new Recorder(), token);
  const [first, second, third] = cluster.hosts.map(({ door }) => door);
  if (!first || !second || !third) throw new Error("there are three hosts");
  for (let round = 1; round <= 5; round += 1) {
    const sessionId = `answers-${round}`;
    await sender.post(first, "/sessions", { session_id: sessionId, params: { delay_ms: 0 } });
    await sender.post(second, `/sessions/${sessionId}/message`, { message: "/permission" });
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
