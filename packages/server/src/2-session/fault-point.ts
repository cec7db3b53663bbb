/** Places where a test may end the process, to see what a crash right there leaves behind. */
export type FaultPoint = "before_commit" | "after_commit" | "before_publish" | "after_ack";

const armed = process.env["TURNWIRE_FAULT"];

/** Dies at once, as by `kill -9`, when `TURNWIRE_FAULT=<name>:kill` was set at start. */
export function faultPoint(name: FaultPoint): void {
  if (armed !== undefined && armed === `${name}:kill`) process.kill(process.pid, "SIGKILL");
}
