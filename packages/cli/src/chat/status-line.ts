import type { SessionView } from "@turnwire/client";
import type { Format } from "../terminal/format.ts";
import { durationText } from "../terminal/figure.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { truncate } from "../terminal/wrap.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;
/** A first reconnect attempt is not shown: most connections are back at once. */
const QUIET_ATTEMPTS = 1;

function connectionText({ connection }: SessionView): string | undefined {
  switch (connection.status) {
    case "waiting":
    case "connecting":
    case "gap":
      return connection.attempt > QUIET_ATTEMPTS ? "reconnecting" : undefined;
    case "failed":
      return "connection lost";
    case "idle":
    case "replaying":
    case "live":
    case "closed":
      return undefined;
  }
}

/** What is happening, on one line; no line when nothing is. */
export function statusLines(view: SessionView, format: Format, now: number): string[] {
  const { turn, queue, activity } = view.session;
  const connection = connectionText(view);
  const isWaiting = activity.kind === "waiting";
  if (!connection && (!turn || isWaiting)) return [];
  const frame = frames[Math.floor(now / FRAME_MS) % frames.length] ?? "";
  const facts = [
    connection ?? (view.isCancelling ? "stopping" : safeLine(activity.label)),
    turn ? durationText(Math.max(0, now - Date.parse(turn.started_at))).replace(/\.\d/, "") : "",
    queue.length > 0 ? `${queue.length} queued` : "",
    turn && !view.isCancelling ? "Ctrl-C stops" : "",
  ].filter(Boolean);
  return [format.colors.dim(truncate(`${frame} ${facts.join(" · ")}`, format.width - 1))];
}
