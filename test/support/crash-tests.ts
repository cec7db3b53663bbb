import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkGrammar, type SessionEvent } from "@turnwire/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CrashingServer } from "./crashing-server.ts";

/** At which passes of a fault point the server dies. */
export type Crashes = Readonly<Record<string, readonly number[]>>;

interface CrashOptions {
  /** Some passes may never come, so that the server lives. */
  readonly mayOutlive?: boolean;
}

const sessionId = "crash";

/** Observations of the clients of a server that crashed, and the acknowledgements they rely on. */
interface Witness {
  readonly seen: Map<number, string>;
  readonly acked: Set<string>;
}

function isOver(event: SessionEvent): boolean {
  return event.type === "done";
}

/** Plays: a permission that waits, a second message behind it, an answer. True when the server died of it. */
async function playUntilCrash(server: CrashingServer, witness: Witness): Promise<boolean> {
  await server.post("/sessions", { session_id: sessionId });
  const send = async (clientMessageId: string, message: string) => {
    const answer = await server.post(`/sessions/${sessionId}/message`, {
      message,
      client_message_id: clientMessageId,
    });
    if (answer) witness.acked.add(clientMessageId);
  };
  await send("first", "permission");
  let ends = 0;
  const following = server.follow(sessionId, (data, event) => {
    witness.seen.set(event.seq, data);
    if (event.type === "permission_request") {
      void send("second", "thinking").then(() =>
        server.post(`/sessions/${sessionId}/commands`, {
          type: "permission_response",
          correlation_id: event.data.correlation_id,
          behavior: "allow",
        }),
      );
    }
    if (isOver(event)) ends += 1;
    return ends === 2 ? "stop" : "go on";
  });
  const isDead = await Promise.race([
    following.then(() => ends < 2),
    server.exited.then(() => true),
  ]);
  await server.kill();
  return isDead;
}

/** One test for each crash: the server is killed there, started again and asked for what it promised. */
export function testCrashes(crashes: Crashes, { mayOutlive = false }: CrashOptions = {}): void {
  describe("a server killed between two lines", () => {
    let directory: string;
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), "turnwire-crash-"));
    });
    afterAll(() => rm(directory, { recursive: true, force: true }));

    for (const [point, passes] of Object.entries(crashes)) {
      for (const pass of passes) {
        test(`at ${point}, pass ${pass}, keeps what it promised`, async () => {
          const data = await mkdtemp(join(directory, "data-"));
          const witness: Witness = { seen: new Map(), acked: new Set() };
          const doomed = await CrashingServer.start(data, `${point}:kill:${pass}`);
          const isDead = await playUntilCrash(doomed, witness);
          expect(isDead || mayOutlive).toBe(true);

          const server = await CrashingServer.start(data);
          try {
            // A message without acknowledgement is sent again under its own id, as clients do.
            await server.post("/sessions", { session_id: sessionId });
            for (const id of ["first", "second"]) {
              const answer = await server.post(`/sessions/${sessionId}/message`, {
                message: id === "first" ? "permission" : "thinking",
                client_message_id: id,
              });
              expect(answer?.["duplicate"] === true || !witness.acked.has(id)).toBe(true);
            }
            const log = await settleAndRead(server);
            const events = [...log.values()].map((text): SessionEvent => JSON.parse(text));

            expect([...log.keys()]).toEqual(events.map((_, index) => index + 1));
            for (const [seq, text] of witness.seen) expect(log.get(seq)).toBe(text);
            for (const id of ["first", "second"]) {
              const messages = events.filter(
                (event) => event.type === "user_message" && event.data.client_message_id === id,
              );
              expect(messages).toHaveLength(1);
              const messageId =
                messages[0]?.type === "user_message" ? messages[0].data.message_id : "";
              const turns = events.filter(
                (event) => event.type === "turn_started" && event.data.message_id === messageId,
              );
              expect(turns).toHaveLength(1);
            }
            expect(checkGrammar(events)).toEqual([]);
            const opened = events.filter((event) => event.type === "permission_request").length;
            const resolved = events.filter((event) => event.type === "permission_resolved").length;
            expect(resolved).toBe(opened);
          } finally {
            await server.kill();
          }
        });
      }
    }

    /** Answers what is still asked, and reads the log until both turns have ended. */
    async function settleAndRead(server: CrashingServer): Promise<Map<number, string>> {
      const log = new Map<number, string>();
      let ends = 0;
      await server.follow(sessionId, (data, event) => {
        log.set(event.seq, data);
        if (event.type === "permission_request") {
          void server.post(`/sessions/${sessionId}/commands`, {
            type: "permission_response",
            correlation_id: event.data.correlation_id,
            behavior: "allow",
          });
        }
        if (isOver(event)) ends += 1;
        return ends === 2 ? "stop" : "go on";
      });
      return log;
    }
  });
}
