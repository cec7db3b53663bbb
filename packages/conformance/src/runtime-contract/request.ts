import { setImmediate as nextLoop } from "node:timers/promises";
import type { Answers, CommandOf, SessionEvent, SessionEventOf } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { type Bench, endOf, type SharedRun } from "./bench.ts";
import type { RunRecorder } from "./run-recorder.ts";

type PermissionAnswer = Omit<CommandOf<"permission_response">, "type" | "correlation_id">;

export function testRequests(bench: Bench, shared: SharedRun): void {
  const { permission, question } = bench.prompts;

  describe.skipIf(permission === undefined)("when it asks for permission", () => {
    interface Asked {
      readonly recorder: RunRecorder;
      readonly turnId: string;
      readonly id: string;
      readonly toolUseId: string | undefined;
    }

    async function ask(recorder: RunRecorder): Promise<Asked> {
      const turnId = await recorder.send(permission ?? "");
      const { data } = await recorder.until("permission_request");
      // Now the agent has nothing left to do but wait.
      await nextLoop();
      return { recorder, turnId, id: data.correlation_id, toolUseId: data.tool_use_id };
    }

    async function answered(answer: PermissionAnswer): Promise<SessionEvent[]> {
      const { recorder, turnId, id } = await ask(await shared.idle());
      await recorder.answer({ type: "permission_response", correlation_id: id, ...answer });
      return recorder.turn(turnId);
    }

    test("is known by the id of the tool use that it is about", async () => {
      const { recorder, turnId, id, toolUseId } = await ask(await shared.idle());
      expect(id).toBe(toolUseId);
      await recorder.interrupt();
      await recorder.turn(turnId);
    });

    test("runs the tool when allowed", async () => {
      const events = await answered({ behavior: "allow" });
      expect(toolResults(events).map(({ data }) => data.is_error)).toEqual([false]);
      expect(endOf(events)).toMatchObject({ subtype: "success", isStopped: false });
    });

    test("does not run the tool when denied, and continues", async () => {
      const events = await answered({ behavior: "deny", message: "not today" });
      expect(toolResults(events).map(({ data }) => data.is_error)).toEqual([true]);
      expect(endOf(events)).toMatchObject({ subtype: "success", isStopped: false });
    });

    test("ends the turn when denied with an interrupt", async () => {
      const events = await answered({ behavior: "deny", interrupt: true });
      expect(endOf(events)).toMatchObject({ subtype: "interrupted", isStopped: true });
    });

    test.skipIf(!bench.edit)("runs the tool with the input that a person changed", async () => {
      const { input = {}, trace = "" } = bench.edit ?? {};
      const events = await answered({ behavior: "allow", updated_input: input });
      const fromAgent = events.filter(({ type }) => type !== "permission_resolved");
      expect(JSON.stringify(fromAgent)).toContain(trace);
    });

    test("ends the turn when interrupted instead", async () => {
      const { recorder, turnId } = await ask(await shared.idle());
      await recorder.interrupt();
      const events = await recorder.turn(turnId);
      expect(endOf(events)).toMatchObject({ subtype: "interrupted", isStopped: true });
    });

    test("takes no harm from an answer that comes too late", async () => {
      const { recorder, turnId, id } = await ask(await shared.idle());
      await recorder.interrupt();
      const late = { type: "permission_response", correlation_id: id, behavior: "allow" } as const;
      await recorder.run.answer(late);
      await recorder.turn(turnId);
      await recorder.run.answer(late);
      const next = await recorder.send(bench.prompts.text);
      expect(endOf(await recorder.turn(next)).subtype).toBe("success");
    });

    test("ends its messages when closed instead", async () => {
      const { recorder } = await ask(await bench.start());
      await recorder.run.close();
      expect(await recorder.untilEnd()).toEqual({ type: "closed" });
    });
  });

  describe.skipIf(question === undefined)("when it asks a question", () => {
    test("continues with the answers", async () => {
      const recorder = await shared.idle();
      const turnId = await recorder.send(question ?? "");
      const { data } = await recorder.until("question_request");
      const answers = firstOptions(data);
      const { correlation_id } = data;
      await recorder.answer({ type: "question_response", correlation_id, answers });
      const events = await recorder.turn(turnId);
      expect(endOf(events)).toMatchObject({ subtype: "success", isStopped: false });
      const after = JSON.stringify(events.slice(events.findIndex(isQuestionResolved)));
      for (const answer of Object.values(answers).flat()) expect(after).toContain(answer);
    });
  });
}

function toolResults(events: readonly SessionEvent[]): SessionEventOf<"tool_result">[] {
  return events.filter((event) => event.type === "tool_result");
}

function isQuestionResolved({ type }: SessionEvent): boolean {
  return type === "question_resolved";
}

function firstOptions({ questions }: SessionEventOf<"question_request">["data"]): Answers {
  return Object.fromEntries(
    questions.map(({ question, options, multi_select }) => {
      const label = options[0]?.label ?? "whatever you think";
      return [question, multi_select ? [label] : label];
    }),
  );
}
