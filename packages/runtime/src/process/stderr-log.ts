import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { basename } from "node:path";
import type { Logger } from "@turnwire/base";
import { LineSplitter } from "./line-splitter.ts";

/** What is longer is left out. */
const MAX_LINE = 4_000;

/** Reports what an agent writes to stderr, a line at a time, and how it ended. */
export function logStderr(
  child: ChildProcessWithoutNullStreams,
  { command, sessionId }: { readonly command: string; readonly sessionId?: string },
  logger: Logger,
): void {
  const session = sessionId === undefined ? {} : { session: sessionId };
  const facts = () => ({ agent: basename(command), ...session, pid: child.pid });
  const lines = new LineSplitter({ maxBytes: MAX_LINE });
  child.stderr.on("data", (chunk: Buffer) => {
    for (const line of lines.push(chunk)) {
      if (line.type === "line" && line.text !== "") {
        logger.debug({ ...facts(), stderr: line.text }, "agent wrote to stderr");
      }
    }
  });
  child.once("spawn", () => logger.debug(facts(), "agent process started"));
  child.once("exit", (code, signal) => {
    const isOrdinary = code === 0 || signal === "SIGTERM" || signal === "SIGKILL";
    const end = { ...facts(), code, signal };
    if (isOrdinary) logger.debug(end, "agent process ended");
    else logger.warn(end, "agent process ended with an error");
  });
}
