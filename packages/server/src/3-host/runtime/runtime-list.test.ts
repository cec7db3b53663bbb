import { tmpdir } from "node:os";
import { createMemoryStore } from "@turnwire/log";
import { describe, expect, test } from "vitest";
import { demo } from "@turnwire/runtime/demo";
import type { Runtime, RuntimeCheck } from "@turnwire/runtime";
import { admin } from "../../test-support/test-host.ts";
import { chooseRuntime, describeRuntimes } from "./runtime-list.ts";
import { SessionHost } from "../session-host.ts";

function runtime(name: string, check: RuntimeCheck): Runtime {
  return { ...demo({ delayMs: 0 }), name, check: async () => check };
}

const scripted = demo({ delayMs: 0 });
const missing = runtime("missing", { isAvailable: false, problem: "Log in first." });
const agent = runtime("agent", { isAvailable: true });
const other = runtime("other", { isAvailable: true, connection: { status: "connected" } });

async function defaultOf(runtimes: readonly Runtime[], configured?: string) {
  const infos = await describeRuntimes({ runtimes, configured, isProbing: () => false });
  return infos.filter(({ is_default }) => is_default).map(({ name }) => name);
}

describe("the default runtime", () => {
  test("is the first that is connected to an agent, wherever the demo stands", async () => {
    expect(await defaultOf([scripted, missing, agent, other])).toEqual(["agent"]);
    expect(await chooseRuntime([scripted, missing, agent, other])).toBe("agent");
  });

  test("is the scripted one where no agent is connected", async () => {
    expect(await defaultOf([missing, scripted])).toEqual(["demo"]);
    expect(await chooseRuntime([missing, scripted])).toBe("demo");
  });

  test("is the configured one, connected or not", async () => {
    expect(await defaultOf([scripted, missing, agent], "missing")).toEqual(["missing"]);
  });

  test("is what a session gets that names none", async () => {
    const store = createMemoryStore();
    const runtimes = [scripted, missing, other];
    const host = new SessionHost({ store, runtimes, roots: [tmpdir()] });
    const created = await host.create({}, admin);
    expect(created.ok && created.value.info().runtime).toBe("other");
    await host.close();
  });
});

test("a runtime for special cases states its purpose, others none", async () => {
  const infos = await describeRuntimes({
    runtimes: [agent, { ...other, specialPurpose: "For machines without a screen." }],
    configured: undefined,
    isProbing: () => false,
  });
  expect(infos[0]).not.toHaveProperty("special_purpose");
  expect(infos[1]).toMatchObject({ special_purpose: "For machines without a screen." });
});

test("a runtime that reports no connection is connected when it can be used, else its problem is the step", async () => {
  const infos = await describeRuntimes({
    runtimes: [missing, agent],
    configured: undefined,
    isProbing: (name) => name === "agent",
  });
  expect(infos).toMatchObject([
    { connection: { status: "not_connected", steps: [{ text: "Log in first." }] } },
    { connection: { status: "connected" }, is_probing: true },
  ]);
  expect(infos[0]).not.toHaveProperty("is_probing");
});
