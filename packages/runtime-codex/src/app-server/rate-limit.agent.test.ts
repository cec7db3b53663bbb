import { expect, onTestFinished, test } from "vitest";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";

const resetsAt = 4_000_000_000;

const place = useCodexPlace({
  standin: {
    headers: {
      "x-codex-primary-used-percent": "100",
      "x-codex-primary-window-minutes": "300",
      "x-codex-primary-reset-at": String(resetsAt),
    },
  },
});

test("every session learns of the limits of the account, each of them once", async () => {
  const host = place.openHost();
  onTestFinished(() => host.close());
  const [asking, listening] = [await AgentSession.create(host), await AgentSession.create(host)];
  await listening.turn("SCENARIO:text hello");
  await asking.turn("SCENARIO:text hello");
  await asking.turn("SCENARIO:text again");
  for (const session of [asking, listening]) {
    const reported = (await session.events()).flatMap((event) =>
      event.type === "rate_limits" ? event.data.limits : [],
    );
    expect(reported).toEqual([
      {
        limit_id: "codex.primary",
        label: "5-hour limit",
        status: "reached",
        used_percent: 100,
        resets_at: new Date(resetsAt * 1000).toISOString(),
      },
    ]);
  }
});
