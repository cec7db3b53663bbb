import { openRequests, requestId } from "@turnwire/protocol";
import type { ModelRun } from "./model-run.ts";
import { acceptedId } from "./client-ledger.ts";
import { ModelReader } from "./model-reader.ts";
import { answerTo } from "./request-draft.ts";
import type { ServerProcess } from "./server-process.ts";
import type { Act, AgentAct } from "./step.ts";
import { guest, principals, type World } from "./world.ts";

const maxSessions = 4;
const maxReaders = 4;

/** Begins an act; what comes of it is seen later. An act on something that is not there does nothing. */
export async function perform(world: World, act: Act): Promise<void> {
  const { process, ledger, journal } = world;
  switch (act.type) {
    case "create":
      if (world.sessionIds.length < maxSessions) world.create();
      return;
    case "message": {
      const sessionId = pick(world.sessionIds, act.session);
      if (sessionId === undefined) return;
      const text = journal.word("message");
      const message = {
        sessionId,
        text,
        ...(act.hasClientId && { clientMessageId: `client-${text}` }),
        ...(act.delivery !== undefined && { delivery: act.delivery }),
        ...(act.isUnattended && { isUnattended: true }),
        answers: [],
        isCancelAsked: false,
      };
      ledger.messages.push(message);
      world.send(message, act.isHeld);
      return;
    }
    case "retry": {
      const known = ledger.messages.filter((message) => message.clientMessageId !== undefined);
      const message = pick(known, act.message);
      if (message) world.send(message);
      return;
    }
    case "cancel": {
      const message = pick(ledger.messages.filter(acceptedId), act.message);
      const id = message && acceptedId(message);
      if (!message || id === undefined) return;
      message.isCancelAsked = true;
      world.command(message.sessionId, { type: "cancel_message", message_id: id });
      return;
    }
    case "answer":
      return answer(world, act.request);
    case "rollback": {
      const sessionId = pick(world.sessionIds, act.session);
      if (sessionId === undefined) return;
      const turns = journal.sent.filter((sent) => sent.sessionId === sessionId);
      const turn = pick(turns, act.turn);
      if (turn) world.command(sessionId, { type: "rollback", turn_id: turn.turnId });
      return;
    }
    case "policy_mode": {
      const sessionId = pick(world.sessionIds, act.session);
      if (sessionId === undefined) return;
      const by = act.isGuest ? guest : principals[0];
      world.track(act.type, async (given) => {
        await world.execute(given, sessionId, { type: "set_policy_mode", mode: act.mode }, { by });
      });
      return;
    }
    case "interrupt":
    case "compact":
    case "fork":
    case "archive":
    case "unarchive":
    case "rename":
    case "state_patch":
    case "show_component":
    case "remove_component":
    case "component_callback":
    case "add_to_catalog":
    case "limit":
    case "raise":
    case "wake":
    case "snapshot":
    case "delete": {
      const sessionId = pick(world.sessionIds, act.session);
      if (sessionId !== undefined) command(world, act.type, sessionId);
      return;
    }
    case "read": {
      const sessionId = pick(world.sessionIds, act.session);
      if (sessionId === undefined || world.readers.length >= maxReaders) return;
      const reader = new ModelReader(sessionId);
      world.readers.push(reader);
      world.connect(reader, act.isFromStart);
      return;
    }
    case "cut":
      pick(world.readers, act.reader)?.cut();
      return;
    case "resume": {
      const reader = pick(world.readers, act.reader);
      if (reader && !reader.isConnected) world.connect(reader);
      return;
    }
    case "advance":
      return process.clock.advance(act.ms);
    case "restart":
      return world.restart();
    case "crash":
      return world.crash();
    case "agent": {
      const run = pick(
        process.runtime.openRuns.filter(({ isTalking }) => isTalking),
        act.run,
      );
      return run && actAs(run, act.act);
    }
    case "slow":
      return process.runtime.gates[act.call].slowDown();
    case "release":
      return process.runtime.gates[act.call].release();
    case "fail":
      return process.runtime.failNext(act.call);
    case "fault":
      return process.store.inject(act.fault);
    case "store_release":
      return process.store.release();
  }
}

function command(
  world: World,
  type: Exclude<
    Extract<Act, { session: number }>["type"],
    "message" | "rollback" | "read" | "policy_mode"
  >,
  sessionId: string,
): void {
  switch (type) {
    case "fork":
      return world.command(sessionId, { type }, ({ forked }) => {
        if (forked) world.sessionIds.push(forked.session_id);
      });
    case "rename":
      return world.command(sessionId, { type, title: world.journal.word("title") });
    case "state_patch":
      return world.track(type, (process) => patchState(world, process, sessionId));
    case "show_component":
      return showNote(world, sessionId);
    case "remove_component":
      return world.command(sessionId, { type, component_id: "c" });
    case "component_callback": {
      const action = world.journal.word("click");
      const callback = { type, component_id: "c", action, payload: {}, client_callback_id: action };
      showNote(world, sessionId);
      // Its sender does not hear of the first, and repeats it.
      world.command(sessionId, callback);
      return world.command(sessionId, callback);
    }
    case "add_to_catalog": {
      const note = { name: "note", description: "A note.", props_schema: {} };
      return world.command(sessionId, { type, entries: [{ ...note, surfaces: ["panel"] }] });
    }
    case "limit":
      return world.command(sessionId, { type: "set_budget", budget: { turns: 1, minutes: 1 } });
    case "raise":
      return world.track(type, (process) => raise(world, process, sessionId));
    case "wake":
      return world.track(type, async (process) => {
        await (await world.open(process, sessionId))?.wake();
      });
    case "snapshot":
      return world.track(type, async (process) => {
        await (await world.open(process, sessionId))?.snapshot();
      });
    case "delete":
      return world.track(type, async (process) => {
        const deleted = await process.host.delete(sessionId, principals[0]);
        if (deleted.ok) world.ledger.count(world.ledger.deletions, sessionId);
      });
    case "interrupt":
    case "compact":
    case "archive":
    case "unarchive":
      return world.command(sessionId, { type });
  }
}

/** A person lets a session that has reached its budget continue. */
async function raise(world: World, process: ServerProcess, sessionId: string): Promise<void> {
  const session = await world.open(process, sessionId);
  const requests = session ? openRequests(session.control) : [];
  for (const request of requests.filter(({ type }) => type === "budget_request")) {
    const command = answerTo(request.type, requestId(request));
    await world.execute(process, sessionId, command, { by: principals[0] });
  }
}

/** The first answer wins, whoever gives it. */
function answer(world: World, index: number): void {
  const { journal, ledger } = world;
  const request = pick(journal.requests, index);
  if (!request) return;
  const { id, sessionId, type } = request;
  for (const by of principals) {
    world.track(`answer ${id}`, async (process) => {
      const result = await world.execute(process, sessionId, answerTo(type, id), { by });
      if (process.isCrashed) return;
      if (result.ok) ledger.count(ledger.acceptedAnswers, id);
    });
  }
}

function actAs(run: ModelRun, act: AgentAct): void | Promise<void> {
  switch (act) {
    case "speak":
      return run.speak();
    case "notice":
      return run.notice();
    case "use_tool":
      return run.useTool();
    case "finish":
      return run.finish();
    case "task":
      return run.toggleTask();
    case "begin_turn":
      return run.beginTurn();
    case "die":
      return run.die();
    case "exit":
      return run.exit();
    case "permission_request":
    case "question_request":
    case "hook_request":
    case "interrupt":
    case "tool_call_request":
      return run.ask(act);
  }
}

function showNote(world: World, sessionId: string): void {
  const props = { note: world.journal.word("note") };
  const shown = { component_id: "c", name: "note", surface: "panel", props } as const;
  world.command(sessionId, { type: "show_component", ...shown });
}

function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % items.length];
}

/** For the version that it finds: stale if the agent writes meanwhile, and refused then. */
async function patchState(world: World, process: ServerProcess, sessionId: string): Promise<void> {
  const session = await world.open(process, sessionId);
  if (!session) return;
  const value = { note: world.journal.word("note") };
  const patches = [{ op: "add" as const, path: "", value }];
  const base_version = session.control.shared_version;
  await world.execute(process, sessionId, { type: "state_patch", patches, base_version });
}
