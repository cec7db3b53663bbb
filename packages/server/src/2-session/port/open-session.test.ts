import { expect, test } from "vitest";
import type { OwnedLog } from "@turnwire/log";
import type { OpenSession } from "../../../../wire/src/open-session.ts";
import type { Recorder } from "../record/recorder.ts";
import type { Session } from "../session.ts";

/** Whether a log has a member that changes what it holds; the compiler checks the values below. */
type CanChange<Log> = [Extract<keyof Log, "append" | "markTrimmed" | "end">] extends [never]
  ? false
  : true;
type CanAppend<Log> = "append" extends keyof Log ? true : false;

test("whoever has a session can read its log and not write it: the recorder is the only way in", () => {
  const byRoute: CanChange<OpenSession["log"]> = false;
  const bySession: CanChange<Session["log"]> = false;
  const byRecorder: CanChange<Recorder["log"]> = false;
  const byOwner: CanAppend<OwnedLog> = false;
  expect([byRoute, bySession, byRecorder, byOwner]).not.toContain(true);
});
