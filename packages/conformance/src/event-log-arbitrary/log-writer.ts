import { defined } from "@turnwire/base";
import {
  draft,
  type EventData,
  type EventDraft,
  foldControl,
  grantsOf,
  initialControl,
  noCapabilities,
  type OpenRequest,
  openRequests,
  PROTOCOL_VERSION,
  requestId,
  type SessionEvent,
} from "@turnwire/protocol";
import { chosen, surfaces } from "./choice.ts";
import { momentOf } from "./moment.ts";
import { Names } from "./name.ts";
import { isReport, type Place, reportDrafts, type ReportType } from "./report-draft.ts";
import { requestDraft, resolutionDraft } from "./request-draft.ts";
import type { Wish, WishKind } from "./wish.ts";

type Writing = { id: string; text: string };
type Tool = { readonly id: string; readonly place: Place; readonly messageId?: string | undefined };

function placeOf({ turn_id, subagent_id }: OpenRequest): Place {
  return defined({ turn_id, subagent_id });
}

/** Turns wishes into a log, leaving out what the grammar does not allow at that point. */
export class LogWriter {
  readonly events: SessionEvent[] = [];
  readonly #names = new Names();
  #control = initialControl();
  /** Turns that have ended and are still part of the conversation. */
  #ended: string[] = [];
  #subagents: string[] = [];
  #preparing: Tool[] = [];
  #running: Tool[] = [];
  /** Messages that steered a turn and were not deferred. */
  readonly #steering: EventData<"message_deferred">[] = [];
  readonly #started: Tool[] = [];
  readonly #writing = new Map<string, Writing>();
  readonly #components: string[] = [];

  constructor() {
    this.#append(
      draft("session_ready", {
        session_id: "generated",
        protocol_version: PROTOCOL_VERSION,
        runtime: "demo",
        capabilities: noCapabilities,
      }),
    );
  }

  write(wish: Wish): void {
    const { kind } = wish;
    if (isReport(kind)) this.#report(kind, wish);
    else this.#steps[kind](wish);
  }

  /** Ends what is open and then the log. */
  close(): void {
    for (const request of openRequests(this.#control)) this.#resolve(request, 0);
    this.#endTurn(false);
    this.#append(draft("session_closed", { reason: "deleted" }));
  }

  readonly #steps: Record<Exclude<WishKind, ReportType>, (wish: Wish) => void> = {
    say: (wish) => this.#say(wish),
    cancel_message: ({ pick }) => {
      const message = chosen(this.#control.queue, pick);
      if (message) this.#append(draft("message_cancelled", { message_id: message.message_id }));
    },
    defer_message: () => {
      const message = this.#steering.pop();
      if (message) this.#append(draft("message_deferred", message));
    },
    start_turn: () => this.#startTurn(this.#control.queue[0]?.message_id),
    start_turn_unasked: ({ pick }) => {
      if (pick === 0 && !this.#control.turn) this.#append(draft("turn_started", this.#newTurn()));
    },
    delta: (wish) => this.#writeText(wish, "delta"),
    thinking: (wish) => this.#writeText(wish, "thinking"),
    message_complete: (wish) => this.#completeMessage(wish),
    tool_input_delta: (wish) => this.#prepareTool(wish),
    tool_start: (wish) => this.#startTool(wish, false),
    spawn: (wish) => this.#startTool(wish, true),
    tool_output: ({ pick, text }) => {
      const tool = chosen(this.#started, pick);
      if (tool) this.#append(draft("tool_output", { tool_use_id: tool.id, text }, tool.place));
    },
    tool_result: (wish) => this.#finishTool(wish),
    policy_decision: (wish) => this.#decideTool(wish),
    ask: (wish) => this.#ask(wish),
    answer: ({ pick }) => {
      const request = chosen(openRequests(this.#control), pick);
      if (request) this.#resolve(request, pick);
    },
    claim: (wish) => this.#claim(wish),
    grant: ({ text }) => {
      const data = { grant_id: this.#names.next("grant"), tool_name: "Bash", permission: { text } };
      this.#append(draft("permission_granted", data));
    },
    revoke: ({ pick }) => {
      const grant = chosen(grantsOf(this.#control), pick);
      if (grant) this.#append(draft("permission_revoked", { grant_ids: [grant.grant_id] }));
    },
    component_update: (wish) => this.#updateComponent(wish),
    component_remove: ({ pick }) => {
      const component_id = chosen(this.#components, pick);
      if (component_id !== undefined) this.#append(draft("component_remove", { component_id }));
    },
    component_callback: ({ pick }) => {
      const component_id = chosen(this.#components, pick) ?? "gone";
      this.#append(
        draft("component_callback", { component_id, action: "click", payload: { pick } }),
      );
    },
    result: (wish) => this.#giveResult(wish),
    done: ({ flag }) => this.#endTurn(flag),
    rolled_back: (wish) => this.#rollBack(wish),
  };

  #append(event: EventDraft): void {
    const seq = this.events.length + 1;
    const placed: SessionEvent = { seq, ts: momentOf(seq), ...event };
    this.#control = foldControl(this.#control, placed);
    this.events.push(placed);
  }

  #report(type: ReportType, wish: Wish): void {
    this.#append(reportDrafts[type](wish, this.#place(wish)));
  }

  /** Mostly the running turn; sometimes late output of one that has ended. */
  #place({ pick, flag }: Wish): Place {
    const subagent_id = flag ? chosen(this.#subagents, pick) : undefined;
    const late = pick === 0 || !this.#control.turn ? chosen(this.#ended, pick) : undefined;
    const turn_id = late ?? this.#control.turn?.turn_id;
    return {
      ...(turn_id !== undefined && { turn_id }),
      ...(subagent_id !== undefined && { subagent_id }),
    };
  }

  #say({ text, flag, pick }: Wish): void {
    const { turn, queue } = this.#control;
    const waits = turn !== null || queue.length > 0;
    const data = {
      message_id: this.#names.next("said"),
      content: [{ type: "text" as const, text }],
      ...(pick === 4 && { is_unattended: true as const }),
      ...(pick === 5 && { review: { type: "base_branch" as const, branch: "main" } }),
    };
    if (turn && flag) {
      const place = { turn_id: turn.turn_id };
      this.#append(draft("user_message", { ...data, delivery: "steer" }, place));
      this.#steering.push(data);
    } else this.#append(draft("user_message", { ...data, delivery: waits ? "queue" : "turn" }));
  }

  #newTurn(): { turn_id: string } {
    return { turn_id: this.#names.next("turn") };
  }

  #startTurn(message_id: string | undefined): void {
    if (this.#control.turn || message_id === undefined) return;
    const turn = this.#newTurn();
    this.#append(draft("turn_started", { ...turn, message_id }, turn));
  }

  #endTurn(stopped: boolean): void {
    const { turn } = this.#control;
    if (!turn) return;
    for (const request of openRequests(this.#control)) {
      if (request.turn_id === turn.turn_id) this.#resolve(request, 0);
    }
    const { turn_id } = turn;
    this.#append(draft("done", { turn_id, ...(stopped && { stopped }) }, { turn_id }));
    this.#ended.push(turn_id);
  }

  #rollBack({ pick }: Wish): void {
    const turn_id = chosen(this.#ended, pick);
    if (turn_id === undefined || this.#control.turn || pick > 5) return;
    this.#append(draft("rolled_back", { turn_id }));
    this.#ended = this.#ended.slice(0, this.#ended.indexOf(turn_id));
    const isKept = ({ turn_id: turn }: Place) => turn === undefined || this.#ended.includes(turn);
    this.#preparing = this.#preparing.filter(({ place }) => isKept(place));
    this.#writing.clear();
  }

  #giveResult({ text, flag, pick }: Wish): void {
    const turn_id = this.#control.turn?.turn_id;
    if (turn_id === undefined) return;
    const subtype = flag ? "success" : "error_during_execution";
    const data = { turn_id, subtype, is_error: !flag, text, total_cost_usd: pick };
    this.#append(draft("result", data, { turn_id }));
  }

  #writeText(wish: Wish, type: "delta" | "thinking"): void {
    const place = this.#place(wish);
    const writing = this.#writingAt(place);
    if (type === "delta") {
      writing.text += wish.text;
      this.#append(draft("delta", { message_id: writing.id, text: wish.text }, place));
    } else {
      const done = wish.pick % 2 === 0;
      this.#append(draft("thinking", { message_id: writing.id, text: wish.text, done }, place));
    }
  }

  #writingAt(place: Place): Writing {
    const key = JSON.stringify(place);
    const writing = this.#writing.get(key) ?? { id: this.#names.next("message"), text: "" };
    this.#writing.set(key, writing);
    return writing;
  }

  #completeMessage(wish: Wish): void {
    const place = this.#place(wish);
    const { id: message_id, text } = this.#writingAt(place);
    this.#writing.delete(JSON.stringify(place));
    const whole = text + (wish.pick % 2 === 0 ? wish.text : "");
    const cut = wish.pick % (whole.length + 1);
    const tool = chosen(this.#running, wish.pick);
    const content = [
      { type: "text", text: whole.slice(0, cut) },
      ...(tool ? [{ type: "tool_use", id: tool.id }] : []),
      { type: "text", text: whole.slice(cut) },
    ];
    this.#append(
      draft("message_complete", { message_id, message: { role: "assistant", content } }, place),
    );
  }

  #prepareTool(wish: Wish): void {
    if (wish.pick % 2 === 0 || this.#preparing.length === 0) {
      const place = this.#place(wish);
      const known = wish.pick % 3 !== 0 && { messageId: this.#writingAt(place).id };
      this.#preparing.push({ id: this.#names.next("tool"), place, ...known });
    }
    const tool = this.#preparing.at(-1);
    if (!tool) return;
    const data = {
      ...(tool.messageId !== undefined && { message_id: tool.messageId }),
      tool_use_id: tool.id,
      tool: "Bash",
      ...(wish.pick % 5 === 0 && { ui_tool: "render_component" as const }),
      partial_json: wish.text,
    };
    this.#append(draft("tool_input_delta", data, tool.place));
  }

  /** About a tool that runs, one that is prepared, or one that has not been heard of. */
  #decideTool(wish: Wish): void {
    const { pick, text } = wish;
    const fresh = { id: this.#names.next("tool"), place: this.#place(wish) };
    const tool = chosen([...this.#started, ...this.#preparing, fresh], pick) ?? fresh;
    if (tool === fresh) this.#preparing.push(fresh);
    const verdict = chosen(["allow", "ask", "deny"] as const, pick) ?? "deny";
    const basis = { verdict, rule: "r", reason: text, mode: "planner", policy_version: "1" };
    const about = { tool: "Bash", ...(pick !== 7 && { tool_use_id: tool.id }) };
    this.#append(draft("policy_decision", { ...about, ...basis }, tool.place));
  }

  #startTool(wish: Wish, subagent_spawn: boolean): void {
    const prepared = wish.flag ? this.#preparing.pop() : undefined;
    const tool = prepared ?? { id: this.#names.next("tool"), place: this.#place(wish) };
    const message_id = this.#writingAt(tool.place).id;
    this.#append(
      draft(
        "tool_start",
        {
          message_id,
          tool_use_id: tool.id,
          tool: subagent_spawn ? "Task" : "Bash",
          ...(wish.pick % 2 === 0 && { command: wish.text }),
          ...(wish.pick % 3 === 0 && { file_path: wish.text }),
          ...(subagent_spawn && { subagent_spawn, subagent_name: wish.text }),
        },
        tool.place,
      ),
    );
    this.#running.push(tool);
    this.#started.push(tool);
    if (subagent_spawn) this.#subagents = [...this.#subagents, tool.id];
  }

  #finishTool({ pick, text, flag }: Wish): void {
    const tool = chosen(this.#running, pick);
    if (!tool) return;
    this.#running = this.#running.filter(({ id }) => id !== tool.id);
    const data = { tool_use_id: tool.id, output: text, is_error: flag, exit_code: flag ? 1 : 0 };
    this.#append(draft("tool_result", data, tool.place));
  }

  #ask(wish: Wish): void {
    const { turn } = this.#control;
    const subagent_id = wish.flag ? chosen(this.#subagents, wish.pick) : undefined;
    const request = requestDraft(
      this.#names.next("request"),
      wish,
      chosen(this.#started, wish.pick)?.id,
    );
    this.#append({
      ...request,
      ...(turn && { turn_id: turn.turn_id }),
      ...(subagent_id !== undefined && { subagent_id }),
    });
  }

  /** A claim is over with the event itself, so that any page may take the next one. */
  #claim({ pick }: Wish): void {
    const request = openRequests(this.#control).find(({ type }) => type === "tool_call_request");
    if (!request) return;
    const data = {
      correlation_id: requestId(request),
      claim_id: `page-${pick % 2}`,
      expires_at: momentOf(this.events.length + 1),
    };
    this.#append({ ...draft("tool_call_claimed", data), ...placeOf(request) });
  }

  #resolve(request: OpenRequest, pick: number): void {
    this.#append(resolutionDraft(request, pick));
  }

  #updateComponent(wish: Wish): void {
    if (wish.pick % 2 === 0) this.#components.push(this.#names.next("component"));
    const component_id = chosen(this.#components, wish.pick);
    if (component_id === undefined) return;
    const surface = chosen(surfaces, wish.pick) ?? "chat";
    const props = { [wish.pick > 8 ? "__proto__" : "label"]: wish.text };
    const data = { component_id, name: "card", surface, props, merge: wish.flag };
    const patches = [
      { op: "replace" as const, path: "/label", value: wish.text },
      { op: "add" as const, path: "/__proto__", value: wish.pick },
    ];
    const change = wish.pick % 3 === 1 ? { ...data, props: {}, patches } : data;
    this.#append(draft("component_update", change, this.#place(wish)));
  }
}
