/** Places where a test may end the process, to see what a crash right there leaves behind. */
export type FaultPoint = "before_commit" | "after_commit" | "before_publish" | "after_ack";

const [armedName, action, pass = "1"] = (process.env["TURNWIRE_FAULT"] ?? "").split(":");
let passesLeft = Number(pass);

/**
 * Dies as by `kill -9` when `TURNWIRE_FAULT=<name>:kill:<n>` was set at start and this is the n-th
 * time the point is passed; n is 1 if left out. With `exit` instead of `kill` only the thread ends.
 */
export function faultPoint(name: FaultPoint): void {
  if (armedName !== name || (action !== "kill" && action !== "exit")) return;
  passesLeft -= 1;
  if (passesLeft !== 0) return;
  if (action === "kill") process.kill(process.pid, "SIGKILL");
  else process.exit();
}
