/** Run as a process of its own: a host with one session that is in a turn until the process is killed. */
import { join } from "node:path";
import { openSqliteStore } from "@turnwire/log";
import { createSessionHost } from "../../../server/src/3-host/create-session-host.ts";
import { eventWhere } from "../../../server/src/test-support/log-reader.ts";
import { openProcessRegistry } from "@turnwire/runtime/process";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import { codexExec } from "../exec/runtime.ts";
import { codex } from "../app-server/runtime.ts";
import type { DoomedPlan } from "./doomed-server.ts";

const plan: DoomedPlan = JSON.parse(process.argv[2] ?? "");
const { dataDirectory, runtime, sessionId: session_id } = plan;
const registry = await openProcessRegistry({ dataDirectory });
const options = { home: plan.home, env: plan.env, registry };
const host = createSessionHost({
  store: await openSqliteStore({ path: join(dataDirectory, "turnwire.db") }),
  runtimes: [codex(options), codexExec(options)],
  defaultRuntime: runtime,
  roots: [plan.cwd],
});
const own = await AgentSession.create(host, { session_id, permission_mode: plan.mode });
await own.turn(plan.first);
const turnId = await own.say(plan.second);
await eventWhere(own.session.log, (event) => {
  if (event.turn_id === turnId) console.log(event.type);
  return false;
});
