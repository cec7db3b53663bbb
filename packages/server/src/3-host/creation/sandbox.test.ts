import { expect, test } from "vitest";
import { ScriptedRuntime } from "../../test-support/scripted-runtime.ts";
import { admin, openTestHost } from "../../test-support/test-host.ts";

const sandbox = { network: false };

test("a sandbox of a runtime that has none is refused, and nothing is created", async () => {
  const runtime = Object.assign(new ScriptedRuntime(), { sandboxProblem: async () => undefined });
  const { host } = openTestHost({ runtimes: [runtime] });
  const refused = await host.create({ sandbox, session_id: "boxed" }, admin);
  expect(refused).toMatchObject({ ok: false, error: { code: "sandbox_unavailable" } });
  expect((await host.open("boxed", admin)).ok).toBe(false);
});

test("a sandbox that is not available is refused with the next step, one that is reaches the agent and the log", async () => {
  let problem: string | undefined = "Install bubblewrap.";
  const runtime = Object.assign(new ScriptedRuntime({ sandbox: true }), {
    sandboxProblem: async () => problem,
  });
  const { host } = openTestHost({ runtimes: [runtime] });
  const refused = await host.create({ sandbox }, admin);
  expect(refused).toMatchObject({ ok: false, error: { message: "sandbox: Install bubblewrap." } });
  problem = undefined;
  const created = await host.create({ sandbox }, admin);
  if (!created.ok) throw new Error(created.error.message);
  const session = created.value;
  expect(session.control.session.sandbox).toEqual({ kind: "commands", network: false });
  await session.wake();
  expect((await runtime.run()).options.sandbox).toEqual(sandbox);
});
