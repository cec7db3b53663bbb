import { gate, item, text } from "@turnwire/conformance/openai-standin";
import { expect, onTestFinished, test } from "vitest";
import { AgentSession, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { testLongSessionLife } from "../../../runtime/src/test-support/session-life.ts";
import { livingServers, useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace();

testLongSessionLife({ place, openHost: (options) => place.openHost({}, options) });

function said(index: number): { type: string; text: string }[] {
  return [{ type: "output_text", text: `${index} says. ` }];
}

test("fifty sessions of one app-server stream at once, and none mixes with another", async () => {
  const host = place.openHost({}, { maxLiveRuns: 60 });
  onTestFinished(() => host.close());
  const sessions = await Promise.all(Array.from({ length: 50 }, () => AgentSession.create(host)));
  const turnIds = await Promise.all(
    sessions.map(async (own, index) => {
      place.standin.scenario(`crowd-${index}`, () => [
        // The model gives its messages the same id in every session.
        item({ type: "message", id: "msg_same", role: "assistant", content: said(index) }),
        text(`${index} begins `),
        gate("crowd"),
        text(`${index} ends`),
      ]);
      const turnId = await own.say(`SCENARIO:crowd-${index}`);
      await own.until("delta", ({ data }) => data.text.includes("begins"));
      return turnId;
    }),
  );
  expect(await livingServers()).toHaveLength(1);
  place.standin.release("crowd");
  const heard = await Promise.all(
    sessions.map(async (own, index) => spoken(await own.ended(turnIds[index] ?? ""))),
  );
  expect(heard).toEqual(sessions.map((_, index) => `${index} says. ${index} begins ${index} ends`));
});
