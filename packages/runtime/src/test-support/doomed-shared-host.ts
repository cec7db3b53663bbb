/** Run as a process of its own: a host on a shared store, with one session that is in a turn until the process is killed. */
import { openPostgresStore } from "@turnwire/log/postgres";
import { createSessionHost } from "../../../server/src/3-host/create-session-host.ts";
import { eventWhere } from "../../../server/src/test-support/log-reader.ts";
import { claude } from "@turnwire/runtime-claude";
import { codex } from "@turnwire/runtime-codex";
import { AgentSession } from "./agent-session.ts";
import type { SharedHostPlan } from "./shared-host.ts";

const plan: SharedHostPlan = JSON.parse(process.argv[2] ?? "");
const host = createSessionHost({
  store: await openPostgresStore({ url: plan.storeUrl }),
  runtimes: [
    ...(plan.claude ? [claude(plan.claude)] : []),
    ...(plan.codex ? [codex(plan.codex)] : []),
  ],
  roots: [plan.cwd],
  leaseMs: plan.leaseMs,
});
const { sessionId: session_id, cwd } = plan;
const own = await AgentSession.create(host, { session_id, cwd, permission_mode: "default" });
for (const words of plan.turns) await own.turn(words);
const turnId = await own.say(plan.lastTurn);
await eventWhere(own.session.log, (event) => {
  if (event.turn_id === turnId) console.log(event.type);
  return false;
});
