import { openOn, type HostsWorld, person } from "./hosts-world.ts";
import type { AgentAct, HostsAct } from "./hosts-step.ts";
import { ModelReader } from "../model/model-reader.ts";

/** Lets one thing happen; what comes of it is not waited for. */
export async function performAct(world: HostsWorld, act: HostsAct): Promise<void> {
  switch (act.type) {
    case "message":
    case "steer": {
      const text = world.journal.word("message");
      const clientMessageId = act.hasClientId ? text : undefined;
      const sessionId = world.sessionId(act.session);
      const isSteer = act.type === "steer";
      const message = { sessionId, text, clientMessageId, isSteer, attempts: [] };
      world.messages.push(message);
      return world.send(message, act.host);
    }
    case "resend": {
      const again = world.messages.filter(({ clientMessageId }) => clientMessageId !== undefined);
      const message = again[act.message % again.length];
      return message && world.send(message, act.host);
    }
    case "cancel":
      return cancelMessage(world, act.message, act.host);
    case "create":
      return createTwice(world, [act.host, act.other]);
    case "answer":
      return world.answerOpen(world.sessionId(act.session), [act.host, act.other]);
    case "agent":
      return moveAgent(world, act.run, act.act);
    case "read": {
      const reader = new ModelReader(world.sessionId(act.session));
      const wandering = { reader, hostIndex: act.host };
      world.readers.push(wandering);
      return world.connect(wandering, true);
    }
    case "delete":
      return deleteSession(world, world.sessionId(act.session), act.host);
    case "interrupt":
    case "archive":
    case "unarchive":
    case "compact":
      return world.command(world.sessionId(act.session), { type: act.type }, act.host);
    case "rename": {
      const title = world.journal.word("title");
      return world.track(act.host, async (host) => {
        const session = await openOn(host, world.sessionId(act.session));
        await session?.update([{ type: "rename", title }], person);
      });
    }
    case "wake":
      return world.track(act.host, async (host) => {
        await (await openOn(host, world.sessionId(act.session)))?.wake();
      });
    case "fork":
      return forkSession(world, world.sessionId(act.session), act.host);
    case "rollback":
      return rollBack(world, world.sessionId(act.session), act.host);
    case "set_clock":
      return world.host(act.host).setClock(act.hours * 3_600_000);
    case "wait":
      return world.advance(act.ms);
    case "crash":
    case "restart":
      return world.replace(act.host, act.type);
    case "drain":
      return world.drain(act.host);
    case "pause":
    case "resume":
    case "cut":
    case "heal":
    case "deafen":
    case "hear":
      return world.host(act.host)[act.type]();
  }
}

function moveAgent(world: HostsWorld, number: number, act: AgentAct): void {
  const runs = world
    .upHosts()
    .flatMap((host) => (host.isFrozen ? [] : host.runtime.openRuns.map((run) => ({ host, run }))));
  // Not by which was started first: that is up to the file system.
  const place = ({ run }: (typeof runs)[number]) => world.sessionIds.indexOf(run.options.sessionId);
  runs.sort((one, other) => place(one) - place(other));
  const chosen = runs[number % runs.length];
  if (!chosen) return;
  const { host, run } = chosen;
  if (act === "speak") run.speak();
  if (act === "ask" && run.turnId !== undefined) run.ask("permission_request");
  if (act === "finish") host.finish(run);
  if (act === "die") run.die();
}

function cancelMessage(world: HostsWorld, number: number, hostIndex: number): void {
  const known = world.messages.flatMap(({ sessionId, attempts }) =>
    attempts.flatMap((attempt) =>
      "messageId" in attempt && attempt.messageId !== undefined
        ? [{ sessionId, messageId: attempt.messageId }]
        : [],
    ),
  );
  const chosen = known[number % known.length];
  if (!chosen) return;
  const { sessionId, messageId } = chosen;
  world.cancellations.add(messageId);
  world.command(sessionId, { type: "cancel_message", message_id: messageId }, hostIndex);
}

function createTwice(world: HostsWorld, hostIndexes: readonly number[]): void {
  const sessionId = world.journal.word("made");
  for (const hostIndex of hostIndexes) {
    world.track(hostIndex, async (host) => {
      const created = await host.host.create({ session_id: sessionId }, person);
      if (!created.ok || host.isCrashed) return;
      world.creations.set(sessionId, (world.creations.get(sessionId) ?? 0) + 1);
      world.sessionIds.push(sessionId);
    });
  }
}

function forkSession(world: HostsWorld, sessionId: string, hostIndex: number): void {
  world.track(hostIndex, async (host) => {
    const forked = await (await openOn(host, sessionId))?.execute({ type: "fork" }, person);
    if (forked?.ok && forked.value.forked) world.sessionIds.push(forked.value.forked.session_id);
  });
}

function rollBack(world: HostsWorld, sessionId: string, hostIndex: number): void {
  const newest = world.journal.sent.findLast((sent) => sent.sessionId === sessionId);
  if (newest) world.command(sessionId, { type: "rollback", turn_id: newest.turnId }, hostIndex);
}

function deleteSession(world: HostsWorld, sessionId: string, hostIndex: number): void {
  world.deletions.add(sessionId);
  world.track(hostIndex, async (host) => {
    await host.host.delete(sessionId, person);
  });
}
