import type { JsonObject, JsonValue } from "@turnwire/protocol";
import { decisionOn, refusalText } from "../../gated-decision.ts";
import { type PolicyDecision, requestPolicy } from "../../tool-gate.ts";
import { permissionFor } from "./permission.ts";
import type { Script } from "./script.ts";
import type { DemoStage } from "./stage.ts";

/** A tool use that has been announced. */
export interface AnnouncedUse {
  readonly toolUse: string;
  readonly tool: string;
  readonly input: JsonObject;
}

/** Whether a tool runs, and with which input; why it does not. */
export type ToolPermit =
  | { readonly isAllowed: true; readonly input: JsonValue; readonly decision?: PolicyDecision }
  | { readonly isAllowed: false; readonly reason: string; readonly decision?: PolicyDecision };

/** Thrown inside a script when a tool may not run; the run makes the turn's end of it. */
export class ToolRefused extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The tool was refused: ${reason}`);
    this.name = "ToolRefused";
    this.reason = reason;
  }
}

/** Lets the policy decide where the session has a policy mode; a person where it says so. */
export async function* requestPermit(stage: DemoStage, use: AnnouncedUse): Script<ToolPermit> {
  const { toolUse, tool, input } = use;
  const { gate } = stage.turn;
  const decision = gate && (await decisionOn(gate, { tool, input, toolUseId: toolUse }));
  if (!decision) return { isAllowed: true, input };
  yield stage.policy(decision);
  switch (decision.verdict) {
    case "allow": {
      // The policy does not lift what the permission mode forbids.
      const isPlanned = permissionFor(stage.turn.memory, tool) === "plan_only" && isChange(tool);
      return isPlanned
        ? { isAllowed: false, reason: "Not while planning.", decision }
        : { isAllowed: true, input, decision };
    }
    case "deny":
      return { isAllowed: false, reason: refusalText(decision), decision };
    case "ask": {
      const ask = { tool, input, tool_use: toolUse, policy: requestPolicy(decision) };
      const answer = yield* stage.askPermission(ask);
      if (answer.behavior === "allow") {
        return { isAllowed: true, input: answer.updated_input ?? input, decision };
      }
      if (answer.interrupt) stage.turn.stop();
      return { isAllowed: false, reason: answer.message ?? "A person said no.", decision };
    }
  }
}

function isChange(tool: string): boolean {
  return ["Bash", "Edit", "Write"].includes(tool);
}
