import { wholeLog } from "../../../../log/src/test-support/whole-log.ts";
import { appendTexts, startServer, type RunningServer } from "./running-server.ts";

/** A session of twenty events whose first ten retention has removed. */
export async function openTrimmedSession(): Promise<
  RunningServer & { id: string; oldest: number }
> {
  const running = await startServer({ hostOptions: { ringSize: 2 } });
  const id = await running.createSession();
  const session = await running.session(id);
  await appendTexts(
    session,
    Array.from({ length: 19 }, (_, index) => `event ${index + 2}`),
  );
  wholeLog(session.log).markTrimmed(10);
  return { ...running, id, oldest: 11 };
}
