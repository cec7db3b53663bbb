import { RunRecorder } from "@turnwire/conformance";
import type { EventData, EventType, SessionEvent } from "@turnwire/protocol";
import { expect, onTestFinished } from "vitest";
import type { Clock } from "@turnwire/base";
import type { RequestAnswer, RunOptions } from "../../runtime.ts";
import { demo, type DemoRuntimeOptions } from "../runtime.ts";

/** A demo run that goes as fast as it is read, closed with the test. */
export async function start(
  run: Partial<RunOptions> = {},
  options: DemoRuntimeOptions = { delayMs: 0 },
) {
  const recorder = await RunRecorder.start(demo(options), {
    sessionId: "s1",
    cwd: "/",
    ...run,
  });
  onTestFinished(async () => {
    await recorder.run.close();
    expect(recorder.violations).toEqual([]);
  });
  return recorder;
}

/** A friendly answer to any request. */
export function yesTo(event: SessionEvent): RequestAnswer | undefined {
  switch (event.type) {
    case "permission_request":
      return { type: "permission_response", behavior: "allow", ...idOf(event.data) };
    case "question_request":
      return { type: "question_response", answers: {}, ...idOf(event.data) };
    case "hook_request":
      return { type: "hook_response", decision: {}, ...idOf(event.data) };
    case "tool_call_request":
      return { type: "tool_call_response", output: "teal", ...idOf(event.data) };
    case "interrupt": {
      const { interrupt_id } = event.data;
      return { type: "interrupt_response", interrupt_id, value: { approved: true } };
    }
    default:
      return undefined;
  }
}

export function idOf({ correlation_id }: { correlation_id: string }) {
  return { correlation_id };
}

/** Plays a turn to its end, answering requests on the way. */
export async function play(
  recorder: RunRecorder,
  text: string,
  answerTo: (event: SessionEvent) => RequestAnswer | undefined = yesTo,
): Promise<SessionEvent[]> {
  const turnId = await recorder.send(text);
  for (let event = await recorder.next(); event; event = await recorder.next()) {
    const answer = answerTo(event);
    if (answer) await recorder.answer(answer);
    if (event.type === "done") break;
  }
  return recorder.events.filter((event) => event.turn_id === turnId);
}

export function dataOf<Type extends EventType>(
  events: readonly SessionEvent[],
  type: Type,
): EventData<Type>[] {
  const found = events.filter((event) => event.type === type);
  return found.map(({ data }) => data as EventData<Type>);
}

export function said(events: readonly SessionEvent[]): string {
  return dataOf(events, "delta")
    .map(({ text }) => text)
    .join("");
}

/** A clock on which every wait is over at once, and remembered. */
export function instantClock() {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => 0,
    wait: async (ms) => {
      waits.push(ms);
    },
  };
  return { waits, clock };
}
