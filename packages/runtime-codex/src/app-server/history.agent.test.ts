import { codexHome } from "@turnwire/conformance/openai-standin";
import { checkGrammar, type SessionEvent } from "@turnwire/protocol";
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { PastSessions } from "../../../server/src/3-host/history.ts";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { admin } from "../../../server/src/test-support/test-host.ts";
import { AgentSession, ending, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { spawnScript } from "../../../runtime/src/test-support/child.ts";
import { createCodexHistory } from "./history.ts";
import type { CodexOptions } from "../setting/options.ts";
import { RpcClient } from "../protocol/rpc.ts";
import { execThread, runCodex } from "../test-support/codex-program.ts";
import { livingServers, useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace();

function openHost(runtime: Partial<CodexOptions> = {}): SessionHost {
  const host = place.openHost(runtime);
  onTestFinished(() => host.close());
  return host;
}

async function importThread(host: SessionHost, threadId: string): Promise<AgentSession> {
  const past = { runtime: "codex", provider_session_id: threadId };
  const imported = await new PastSessions(host).import(past, admin);
  if (!imported.ok) throw new Error(imported.error.message);
  return AgentSession.open(host, imported.value.info.session_id);
}

/** What the model was sent in its newest call, without Codex's own words. */
function remembered(): string[] {
  const { body } = place.standin.requests.at(-1) ?? {};
  const said = JSON.stringify(body).matchAll(/SCENARIO:text (\w+)/g);
  return Array.from(said, (match) => match[1] ?? "");
}

function prompts(events: readonly SessionEvent[]): unknown[] {
  return events.flatMap((event) =>
    event.type === "user_message" ? [[event.data.delivery, event.data.content]] : [],
  );
}

function said(delivery: string, text: string): unknown {
  return [delivery, [{ type: "text", text }]];
}

/** What Codex keeps of a thread in the place's home. */
async function personalFiles(threadId: string): Promise<string[]> {
  const sessions = join(place.home.path, "sessions");
  const names = await readdir(sessions, { recursive: true });
  const own = names.filter((name) => name.includes(threadId));
  return Promise.all(own.map((name) => readFile(join(sessions, name), "utf8")));
}

describe("the history of Codex", () => {
  test("is empty where Codex was never used, and starts no process to find that out", async () => {
    const runtime = place.createRuntime({ home: join(place.directory, "never-used") });
    onTestFinished(() => runtime.close?.());
    expect(await runtime.history?.list()).toEqual([]);
    expect(await livingServers()).toEqual([]);
  });

  test("has the threads of the person's own home, of which an import takes a copy", async () => {
    const threadId = await execThread(place, "SCENARIO:text first", "SCENARIO:text second");
    const person = join(place.directory, "person");
    const work = join(place.directory, "work");
    await Promise.all([person, work].map((directory) => mkdir(directory)));
    await symlink(place.home.path, join(person, ".codex"));
    const own = await codexHome(work, place.standin);
    const host = openHost({ home: own.path, env: { ...own.env, HOME: person } });
    const files = () => personalFiles(threadId);
    const before = await files();
    const listed = (await new PastSessions(host).list(admin)).filter(
      ({ provider_session_id }) => provider_session_id === threadId,
    );
    expect(listed).toMatchObject([
      {
        title: "SCENARIO:text first",
        cwd: place.cwd,
        resume_command: `cd ${place.cwd} && codex resume ${threadId}`,
      },
    ]);
    const session = await importThread(host, threadId);
    expect(prompts(await session.events())).toEqual([
      said("turn", "SCENARIO:text first"),
      said("turn", "SCENARIO:text second"),
    ]);
    await session.turn("SCENARIO:text third");
    expect(remembered()).toEqual(["first", "second", "third"]);
    expect(await files()).toEqual(before);
    const again = await new PastSessions(host).list(admin);
    expect(again.filter((past) => past.provider_session_id === threadId).length).toBeLessThan(2);
  });

  test("knows nothing by a wrong id", async () => {
    const runtime = place.createRuntime();
    onTestFinished(() => runtime.close?.());
    const { history } = runtime;
    expect(await history?.read("../../etc/passwd")).toBeUndefined();
    expect(await history?.read("01a1ddf3-35e6-7b70-aa2c-3ec88507d606")).toBeUndefined();
  });

  test("has what codex exec did, which becomes a session that continues", async () => {
    const words = ["SCENARIO:text first", "SCENARIO:tool echo by-a-tool", "SCENARIO:error 400"];
    const [first = "", ...further] = words;
    const threadId = await execThread(place, first, ...further.slice(0, 1));
    await expect(
      runCodex(
        place,
        "exec",
        "--json",
        "--skip-git-repo-check",
        "resume",
        threadId,
        words[2] ?? "",
      ),
    ).rejects.toThrow("turn.failed");

    const host = openHost();
    const past = (await new PastSessions(host).list(admin)).find(
      ({ provider_session_id }) => provider_session_id === threadId,
    );
    expect(past).toMatchObject({ runtime: "codex", title: first, cwd: place.cwd });

    const own = await importThread(host, threadId);
    const events = await own.events();
    expect(checkGrammar(events)).toEqual([]);
    expect(prompts(events)).toEqual(words.map((text) => said("turn", text)));
    expect(spoken(events)).toBe("firstResult: by-a-tool");
    expect(ending(events)).toMatchObject({ results: ["success", "success", "other"], done: 3 });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "tool_result",
        data: expect.objectContaining({ output: "by-a-tool\n", exit_code: 0 }),
      }),
    );
    expect(own.session.info()).toMatchObject({ title: first, provider_session_id: threadId });

    expect(spoken(await own.turn("SCENARIO:text second"))).toBe("second");
    expect(remembered()).toEqual(["first", "second"]);
    expect(own.providerSessionId).toBe(threadId);
    // Codex takes tools only when a thread starts.
    expect(own.session.control.session.capabilities).toMatchObject({
      components: false,
      shared_state: false,
    });
  });

  test("reports when things happened, and no figures that were not counted", async () => {
    const before = Date.now();
    const threadId = await execThread(place, "SCENARIO:text first");
    const own = await importThread(openHost(), threadId);
    const events = (await own.events()).filter(({ turn_id }) => turn_id !== undefined);
    const times = events.map(({ ts }) => Date.parse(ts));
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    // Codex gives the beginning of a turn in whole seconds.
    expect(times[0]).toBeGreaterThanOrEqual(before - 1000);
    expect(events.some(({ type }) => type === "usage")).toBe(false);
    expect(JSON.stringify(events)).not.toContain("output_tokens");
  });

  test("shows words that were spoken into a turn, a compaction, and a turn that was stopped", async () => {
    const earlier = place.openHost();
    const first = await AgentSession.create(earlier);
    const steered = await first.say("SCENARIO:hold told-later");
    await place.standin.reached("told-later");
    await first.execute({ type: "steer", content: "SCENARIO:text turned round" });
    await first.ended(steered);
    await first.execute({ type: "compact" });
    await first.until("compacted");
    const stopped = await first.say("SCENARIO:hold never");
    await place.standin.reached("never");
    await first.execute({ type: "interrupt" });
    await first.ended(stopped);
    const threadId = first.providerSessionId ?? "";
    await earlier.close();

    const own = await importThread(openHost(), threadId);
    const events = await own.events();
    expect(checkGrammar(events)).toEqual([]);
    expect(prompts(events)).toEqual([
      said("turn", "SCENARIO:hold told-later"),
      said("steer", "SCENARIO:text turned round"),
      said("turn", "SCENARIO:hold never"),
    ]);
    expect(events.filter(({ type }) => type === "compacted")).toHaveLength(1);
    expect(ending(events)).toMatchObject({ results: ["success", "interrupted"], done: 2 });
  });

  test("can be forked and rolled back like any session", async () => {
    const threadId = await execThread(place, "SCENARIO:text first", "SCENARIO:text second");
    const host = openHost();
    const own = await importThread(host, threadId);
    const turnIds = (await own.events()).flatMap((event) =>
      event.type === "turn_started" ? [event.data.turn_id] : [],
    );
    const [first = "", second = ""] = turnIds;
    const { forked } = await own.execute({ type: "fork", turn_id: first });
    const copy = await AgentSession.open(host, forked?.session_id ?? "");
    await copy.turn("SCENARIO:text other");
    expect(remembered()).toEqual(["first", "other"]);
    await own.execute({ type: "rollback", turn_id: second });
    await own.turn("SCENARIO:text third");
    expect(remembered()).toEqual(["first", "third"]);
  });

  test("has threads of the archive too, which come out when somebody resumes them", async () => {
    const threadId = await execThread(place, "SCENARIO:text first");
    await runCodex(place, "archive", threadId);
    const host = openHost();
    const past = (await new PastSessions(host).list(admin)).find(
      ({ provider_session_id }) => provider_session_id === threadId,
    );
    expect(past?.resume_command).toContain(`codex unarchive ${threadId} && `);
    const own = await importThread(host, threadId);
    expect(spoken(await own.turn("SCENARIO:text second"))).toBe("second");
    expect(remembered()).toEqual(["first", "second"]);
    await host.close();
    await expect(runCodex(place, "unarchive", threadId)).rejects.toThrow("failed to unarchive");
  });

  test("has threads of every provider, not only of the one in use", async () => {
    const other = Object.entries({
      model_provider: "other",
      "model_providers.other.name": "other",
      "model_providers.other.base_url": `${place.standin.url}/v1`,
      "model_providers.other.wire_api": "responses",
    }).flatMap(([key, value]) => ["-c", `${key}=${JSON.stringify(value)}`]);
    const prompt = "SCENARIO:text of another";
    await runCodex(place, "exec", "--skip-git-repo-check", ...other, prompt);
    const titles = (await new PastSessions(openHost()).list(admin)).map(({ title }) => title);
    expect(titles).toContain(prompt);
  });

  test("is read page by page, each thread once and the newest first", async () => {
    // A thread that was reverted stands twice in the list of Codex 0.166.0.
    const script = `
      const thread = (id, updatedAt) => ({ id, updatedAt, cwd: "/", name: id, preview: "" });
      const pages = [[thread("c", 3), thread("a", 1)], [thread("c", 3), thread("b", 2)]];
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, params } = JSON.parse(line);
        const page = Number(params.cursor ?? 0);
        const data = params.archived ? [thread("d", page)] : (pages[page] ?? []);
        const nextCursor = page < 1 && !params.archived ? String(page + 1) : null;
        console.log(JSON.stringify({ id, result: { data, nextCursor } }));
      });`;
    const listener = { onNotification: () => undefined, onRequest: () => undefined };
    const rpc = new RpcClient(await spawnScript(script), listener);
    const runtime = { home: place.home.path };
    const history = createCodexHistory({
      runtime,
      connect: async () => ({ rpc }),
    });
    await execThread(place, "SCENARIO:text first");
    const listed = (await history.list()).map(({ title }) => title);
    expect(listed).toEqual(["c", "b", "a", "d"]);
  });

  test("that cannot be read hides no other", async () => {
    const errors: unknown[] = [];
    const home = join(place.directory, "codex-home");
    const host = place.openHost(
      { home, executable: join(place.directory, "no-codex") },
      { onError: (error) => errors.push(error) },
    );
    onTestFinished(() => host.close());
    await execThread(place, "SCENARIO:text first");
    expect(await new PastSessions(host).list(admin)).toEqual([]);
    expect(errors).toHaveLength(1);
  });
});
