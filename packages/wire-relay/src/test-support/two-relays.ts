import { tmpdir } from "node:os";
import type { SessionInfo, SessionList } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { claudeCli } from "@turnwire/runtime-claude";
import { demo } from "@turnwire/runtime/demo";
import { ofType, prompt, type RunningRelay, startRelay } from "./relay-client.ts";
import { linesFrom, ScriptedCli } from "./scripted-cli.ts";
import type { OpenShared } from "../../../server/src/4-transport/test-support/two-servers.ts";

/** Two hosts over one store, each with a relay. */
async function startTwo(openShared: OpenShared) {
  const shared = await openShared();
  const start = async (): Promise<RunningRelay> => {
    const runtimes = [demo({ delayMs: 0 }), claudeCli()];
    return startRelay({ hostOptions: { runtimes, store: await shared.open(), leaseMs: 60_000 } });
  };
  return { one: await start(), two: await start() };
}

async function dialled({ relayUrl }: RunningRelay, sessionId?: string): Promise<ScriptedCli> {
  const cli = new ScriptedCli(tmpdir(), sessionId);
  await cli.dial(relayUrl);
  return cli;
}

async function sessionsOf({ request }: RunningRelay): Promise<SessionInfo[]> {
  const answer = await request("/sessions");
  return ((await answer.json()) as SessionList).sessions;
}

/** Resolves when a host has stored what front ends have seen by then: a turn, which has ended or asks. */
export async function isStored(
  running: RunningRelay,
  { asks }: { readonly asks: boolean },
): Promise<void> {
  await expect.poll(() => sessionsOf(running)).toHaveLength(1);
  const [info] = await sessionsOf(running);
  const session = await running.session(info?.session_id ?? "");
  await expect
    .poll(() => [Object.keys(session.control.requests).length, session.control.turn === null])
    .toEqual([asks ? 1 : 0, !asks]);
}

const asked = ofType("control_request");
const flat = (request_id: unknown) => ({
  type: "control_response",
  request_id,
  permission: { allow: true },
});

/** What a CLI and front ends may expect of the relays of two hosts, whichever store they share. */
export function describeTwoRelays(name: string, openShared: OpenShared): void {
  describe(`relays of two hosts over one ${name}`, () => {
    test("show a front end on either the same lines of a CLI, and take what it says", async () => {
      const { one, two } = await startTwo(openShared);
      const cli = await dialled(one);
      const home = await one.frontEnd();
      home.send(prompt("ask me"));
      await home.line(asked);
      const away = await two.frontEnd();
      const { request_id } = await away.line(asked);
      away.send(flat(request_id));
      await cli.got(ofType("control_response"));
      await Promise.all([home, away].map((frontEnd) => frontEnd.line(ofType("result"))));
      expect(linesFrom(away, cli)).toEqual(cli.written);
      expect(linesFrom(away, cli)).toEqual(linesFrom(home, cli));

      away.send(prompt("hello again"));
      await cli.got(
        (line) => line["type"] === "user" && JSON.stringify(line).includes("hello again"),
      );
      await away.until(() => away.lines.filter(ofType("result")).length === 2);
      expect(linesFrom(away, cli)).toEqual(cli.written);
    });

    test("hand a session over when its CLI comes back to the other one, with its open request", async () => {
      const { one, two } = await startTwo(openShared);
      const cli = await dialled(one);
      const early = await one.frontEnd();
      early.send(prompt("ask me"));
      const { request_id } = await early.line(asked);
      await isStored(one, { asks: true });
      cli.socket.websocket.close();
      await early.line(ofType("status", { text: "claude code disconnected" }));

      await cli.dial(two.relayUrl);
      const late = await two.frontEnd();
      await late.line(asked);
      late.send(flat(request_id));
      await cli.got(ofType("control_response"));
      await late.line(ofType("result"));
      expect(linesFrom(late, cli)).toEqual(cli.written);
      // Whoever watched where it was before sees the rest too.
      await early.line(ofType("result"));
      expect(linesFrom(early, cli)).toEqual(cli.written);
      const [session, ...others] = await sessionsOf(two);
      expect([session?.provider_session_id, others]).toEqual([cli.sessionId, []]);
      expect([one, two].map(({ host }) => host.metrics.sessionsLoaded)).toEqual([0, 1]);
    });

    test("do not take the session of a CLI that is connected to the other one: a second is asked to come back later", async () => {
      const { one, two } = await startTwo(openShared);
      const cli = await dialled(one);
      const frontEnd = await one.frontEnd();
      frontEnd.send(prompt("hello"));
      await frontEnd.line(ofType("result"));
      await isStored(one, { asks: false });
      const second = await dialled(two, cli.sessionId);
      second.writeText(cli.written[0] ?? "");
      expect(await second.socket.closed).toMatchObject({ code: 1001 });
      frontEnd.send(prompt("are you there"));
      await frontEnd.until(() => frontEnd.lines.filter(ofType("result")).length === 2);
      expect(linesFrom(frontEnd, cli)).toEqual(cli.written);
    });
  });
}
