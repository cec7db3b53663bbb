import type { SessionView } from "@turnwire/client";
import { draft, foldAll, initialState } from "@turnwire/protocol";
import picocolors from "picocolors";
import { describe, expect, test } from "vitest";
import { logOf } from "../test-support/demo-events.ts";
import { statusLines } from "./status-line.ts";

const format = { width: 60, colors: picocolors.createColors(false) };
const started = Date.parse("2026-11-15T09:00:00.000Z");

const running = foldAll(
  initialState(),
  logOf(
    [
      draft("turn_started", { turn_id: "t" }),
      draft("tool_start", { message_id: "m", tool_use_id: "u", tool: "Bash", command: "make" }),
      draft("user_message", {
        message_id: "n",
        content: [{ type: "text", text: "next" }],
        delivery: "queue",
      }),
    ],
    "t",
  ),
);

function view(parts: Partial<SessionView> = {}): SessionView {
  return {
    session: initialState(),
    connection: { status: "live", attempt: 0 },
    sending: {},
    requests: {},
    isCancelling: false,
    ...parts,
  };
}

describe("the status line", () => {
  test("is not there when nothing happens", () => {
    expect(statusLines(view(), format, started)).toEqual([]);
  });

  test("tells what runs, for how long, and what waits", () => {
    const [line = ""] = statusLines(view({ session: running }), format, started + 65_000);
    expect(line.slice(2)).toBe("Running make · 1 m 05 s · 1 queued · Ctrl-C stops");
  });

  test("tells that the turn is being stopped", () => {
    const stopping = view({ session: running, isCancelling: true });
    expect(statusLines(stopping, format, started)[0]).toContain("stopping · 0 s");
  });

  test("is quiet about a short break of the line, and tells of a long one", () => {
    const broken = (attempt: number) => view({ connection: { status: "waiting", attempt } });
    expect(statusLines(broken(1), format, started)).toEqual([]);
    expect(statusLines(broken(3), format, started)[0]).toContain("reconnecting");
  });
});
