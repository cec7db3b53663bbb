import { openPostgresStore } from "@turnwire/log/postgres";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { newDatabase, query } from "../../../test/support/database.ts";
import { startTestPostgres } from "../../../test/support/postgres.ts";
import { SessionHost } from "../../server/src/3-host/session-host.ts";
import { useClaudePlace } from "../../runtime-claude/src/test-support/claude-place.ts";
import { processesOf, useCodexPlace } from "../../runtime-codex/src/test-support/codex-place.ts";
import type { Runtime } from "./runtime.ts";
import { AgentSession } from "./test-support/agent-session.ts";
import { killHostInTurn, type SharedHostPlan } from "./test-support/shared-host.ts";

const claude = useClaudePlace();
const codex = useCodexPlace();
let postgres: Awaited<ReturnType<typeof startTestPostgres>>;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.close());

/** No lease ends by itself, however busy the machine is: the test ends that of the killed host. */
const leaseMs = 600_000;

type Agents = Pick<SharedHostPlan, "claude" | "codex" | "cwd">;

/** A host is killed in its second turn; answers with the session on another one. */
async function loseHost(agents: Agents, open: () => Runtime): Promise<AgentSession> {
  const database = await newDatabase(postgres.url("postgres"));
  onTestFinished(() => database.remove());
  const sessionId = randomUUID();
  await killHostInTurn({
    ...agents,
    storeUrl: database.url,
    leaseMs,
    sessionId,
    turns: ["SCENARIO:text one"],
    lastTurn: "SCENARIO:tool touch two",
  });
  await query(database.url, "UPDATE turnwire.holders SET lives_until = clock_timestamp()");
  const store = await openPostgresStore({ url: database.url });
  onTestFinished(() => store.close());
  const host = new SessionHost({
    store,
    runtimes: [open()],
    roots: [agents.cwd],
    leaseMs,
  });
  onTestFinished(() => host.close());
  return AgentSession.open(host, sessionId);
}

interface Standin {
  readonly requests: readonly { readonly body: unknown }[];
}

/** The turns that the model was sent in its newest call. */
function remembered({ requests }: Standin): string[] {
  const body = JSON.stringify(requests.at(-1)?.body);
  const words = body.matchAll(/SCENARIO:(?:text|tool touch) (\w+)/g);
  return Array.from(words, ([, word = ""]) => word);
}

/** The turn that was lost has ended, its question with it, and nothing of it is done again. */
async function checkLoss(own: AgentSession, { requests }: Standin): Promise<void> {
  const events = await own.events();
  const [first, lost] = events.filter(({ type }) => type === "turn_started");
  const errors = events.flatMap((event) => (event.type === "error" ? [event] : []));
  expect(errors).toMatchObject([{ turn_id: lost?.turn_id, data: { code: "turn_lost" } }]);
  const ended = events.flatMap((event) => (event.type === "done" ? [event.turn_id] : []));
  expect(ended).toEqual([first?.turn_id, lost?.turn_id]);
  expect(own.session.control.requests).toEqual({});
  const calls = requests.length;
  expect(await own.session.wake()).toMatchObject({ ok: true });
  expect(requests).toHaveLength(calls);
}

describe("after the host of a session was killed in a turn, the next one", () => {
  test("continues with Claude, whose whole conversation came through the database", async () => {
    const place = (name: string) => ({ ...claude.env, CLAUDE_CONFIG_DIR: join(claude.cwd, name) });
    const model = "claude-opus-5-5";
    const agents = { cwd: claude.cwd, claude: { env: place("../first"), model } };
    const own = await loseHost(agents, () => claude.createRuntime({ env: place("../second") }));
    await checkLoss(own, claude.standin);
    await own.turn("SCENARIO:text three");
    expect(remembered(claude.standin)).toEqual(["one", "two", "three"]);
  });

  test("continues with Codex where both share CODEX_HOME", async () => {
    const { path: home, env } = codex.home;
    const own = await loseHost({ cwd: codex.cwd, codex: { home, env } }, () =>
      codex.createRuntime(),
    );
    await expect.poll(() => processesOf(home)).toEqual([]);
    await checkLoss(own, codex.standin);
    await own.turn("SCENARIO:text three");
    expect(remembered(codex.standin)).toEqual(["one", "two", "three"]);
  });
});
