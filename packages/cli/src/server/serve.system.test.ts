import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@turnwire/client";
import { openSqliteStore } from "@turnwire/log";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";
import { type ServeReport, SpawnedClis } from "../test-support/spawned-cli.ts";

describe("turnwire serve", () => {
  let machine: TestMachine;
  let clis: SpawnedClis;

  beforeEach(async () => {
    machine = await TestMachine.create();
    clis = await SpawnedClis.create(machine);
  });

  afterEach(async () => {
    await clis.end();
    await machine.remove();
  });

  test("tells programs where it is in one line of JSON, and ends with 0 by SIGTERM", async () => {
    const { child, report, lines, exited, stderr } = await clis.serve();
    expect(Object.keys(report)).toEqual([
      "url",
      "host",
      "port",
      "pid",
      "data",
      "store",
      "runtime",
      "login_url",
      "token_file",
      "version",
    ]);
    expect(report).toMatchObject({
      host: "127.0.0.1",
      pid: child.pid,
      data: machine.dataDirectory,
      store: "sqlite",
      runtime: "demo",
      token_file: join(machine.dataDirectory, "token"),
    });
    expect((await createClient({ url: report.url }).health()).status).toBe("ok");
    child.kill("SIGTERM");
    expect(await exited).toEqual({ code: 0, signal: null });
    expect(lines).toHaveLength(1);
    expect(await stderr).toContain("Stopping");
  });

  test("keeps its data for its user alone, and takes its address away when it ends", async () => {
    const { child, report, exited } = await clis.serve();
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect(await mode(report.data)).toBe("700");
    const names = await readdir(report.data);
    expect(names).toEqual(expect.arrayContaining(["server.json", "token", "turnwire.db"]));
    for (const name of names)
      expect([name, await mode(join(report.data, name))]).toEqual([name, "600"]);
    expect(JSON.parse(await readFile(join(report.data, "server.json"), "utf8"))).toEqual({
      url: report.url,
      pid: child.pid,
    });
    child.kill("SIGINT");
    expect(await exited).toEqual({ code: 0, signal: null });
    expect(await readdir(report.data)).not.toContain("server.json");
  });

  test("refuses a second server on the same data, and names the first", async () => {
    const { report } = await clis.serve();
    const second = clis.run(["serve", "--port", "0", "--json"]);
    expect(await second.exited).toEqual({ code: 1, signal: null });
    const message = await second.stderr;
    expect(message).toContain(`The server at ${report.url} (pid ${report.pid}) uses the data`);
    expect(message).toContain("--data");
    expect(message.trim().split("\n")).toHaveLength(1);
  });

  test("refuses data that something else holds, and so does a chat", async () => {
    const store = await openSqliteStore({ path: join(machine.dataDirectory, "turnwire.db") });
    const env = { TURNWIRE_STORE: "sqlite" };
    for (const args of [["serve", "--port", "0"], ["chat"]]) {
      const { code, stderr } = await machine.run(args, { env, input: "hello\n" });
      expect(code).toBe(1);
      expect(stderr).toBe(
        `turnwire: Another Turnwire uses the data in ${machine.dataDirectory}: stop it, or give this one another directory with --data.\n`,
      );
    }
    await store.close();
  });

  test("ends with a sentence and code 2 for a wrong --allow-host, and holds nothing", async () => {
    const wrong = clis.run(["serve", "--port", "0", "--allow-host", "bad host!"]);
    expect(await wrong.exited).toEqual({ code: 2, signal: null });
    expect(await wrong.stderr).toBe(
      'turnwire: --allow-host must be a host name like example.com or example.com:8443, not "bad host!".\n',
    );
    const { report } = await clis.serve(["--allow-host", "example.com:8443"]);
    expect((await createClient({ url: report.url }).health()).status).toBe("ok");
  });

  test.runIf(process.platform === "linux")(
    "reports a full disk in /health and works again when there is room",
    async () => {
      const { child, report } = await clis.serve();
      const token = (await readFile(join(machine.dataDirectory, "token"), "utf8")).trim();
      const client = createClient({ url: report.url, token });
      const { session_id } = await client.sessions.create({});
      const health = async () => {
        const answer = await fetch(`${report.url}/health`);
        return { status: answer.status, body: (await answer.json()) as unknown };
      };
      expect(await health()).toMatchObject({ status: 200 });
      const limit = (size: string) =>
        promisify(execFile)("prlimit", ["--pid", String(child.pid), `--fsize=${size}:unlimited`]);
      await limit("1");
      await expect.poll(health).toMatchObject({
        status: 503,
        body: { error: { code: "store_unavailable", retryable: true } },
      });
      expect(JSON.stringify(await health())).not.toContain(machine.home);
      const { stdout } = await machine.run(["doctor", "--json"]);
      expect(stdout).toContain("The store cannot write");
      expect((await machine.run(["sessions"])).stdout).toContain(session_id.slice(0, 8));
      await limit("unlimited");
      await expect.poll(health).toMatchObject({ status: 200 });
      await client.sessions.create({});
    },
  );

  test("starts again on data that a killed server left, with its sessions", async () => {
    const first = await clis.serve();
    const token = (await readFile(join(machine.dataDirectory, "token"), "utf8")).trim();
    const { session_id } = await createClient({ url: first.report.url, token }).sessions.create({});
    first.child.kill("SIGKILL");
    await first.exited;
    expect(await readdir(machine.dataDirectory)).toContain("server.json");
    const second = await clis.serve();
    const { sessions } = await createClient({ url: second.report.url, token }).sessions.list();
    expect(sessions.map((session) => session.session_id)).toEqual([session_id]);
  });

  test("ends with an error when the store can no longer write, and loses nothing", async () => {
    // Every writer ends at its third commit.
    const server = await clis.serve([], { TURNWIRE_FAULT: "before_commit:exit:3" });
    const token = (await readFile(join(machine.dataDirectory, "token"), "utf8")).trim();
    const headers = { authorization: `Bearer ${token}` };
    const ids: string[] = [];
    const create = async () => {
      const answer = await fetch(`${server.report.url}/sessions`, { method: "POST", headers });
      const body = (await answer.json()) as { session_id?: string };
      if (answer.status === 201 && body.session_id !== undefined) ids.push(body.session_id);
    };
    while (server.child.exitCode === null) await create().catch(() => undefined);
    expect(await server.exited).toEqual({ code: 1, signal: null });
    const message = await server.stderr;
    expect(message).toContain("The store can no longer write");
    expect(message).not.toContain("This should not have happened");
    expect(await readdir(machine.dataDirectory)).not.toContain("server.json");
    const next = await clis.serve();
    const { sessions } = await createClient({ url: next.report.url, token }).sessions.list();
    const listed = sessions.map((session) => session.session_id);
    expect(listed).toEqual(expect.arrayContaining(ids));
  });

  test("logs a browser in once by its link", async () => {
    const server = machine.start(["serve", "--json", "--port", "0"]);
    const [line] = await server.stdout.until(/^.*\n/);
    const { login_url } = JSON.parse(line) as ServeReport;
    const headers = { accept: "application/json" };
    // The page at the link redeems it so.
    const redeem = async () => (await fetch(login_url ?? "", { method: "POST", headers })).status;
    expect(await redeem()).toBe(200);
    expect(await redeem()).toBe(401);
    server.signal("SIGTERM");
    await server.exited;
  });

  test("has the web app at its address where that is built, else a page that says what to do", async () => {
    const webRoot = join(machine.home, "app");
    await mkdir(webRoot);
    await writeFile(join(webRoot, "index.html"), "<title>The app</title>");
    for (const [options, title] of [
      [{ webRoot }, "<title>The app</title>"],
      [{}, "<title>Turnwire</title>"],
    ] as const) {
      const server = machine.start(["serve", "--json", "--port", "0"], options);
      const [line] = await server.stdout.until(/^.*\n/);
      const { url } = JSON.parse(line) as ServeReport;
      expect(await (await fetch(url)).text()).toContain(title);
      server.signal("SIGTERM");
      await server.exited;
    }
  });

  test("greets people with everything they need", async () => {
    const data = join(machine.home, "data");
    const server = machine.start(["serve", "--port", "0", "--data", data]);
    await server.stdout.until(/Stop {2,}Ctrl-C/);
    expect(server.stdout.text).toMatch(/Address +http:\/\/127\.0\.0\.1:\d+/);
    expect(server.stdout.text).toMatch(/Browser +http:\/\/127\.0\.0\.1:\d+\/login\/\S+/);
    expect(server.stdout.text).toMatch(/● Demo +scripted, touches nothing/);
    expect(server.stdout.text).toContain(`npx turnwire chat --data ${data}`);
    server.signal("SIGINT");
    expect(await server.exited).toBe(0);
  });

  test("ends at once by a second signal", async () => {
    const server = machine.start(["serve", "--port", "0", "--json"]);
    await server.stdout.until(/\n/);
    server.signal("SIGTERM");
    server.signal("SIGINT");
    expect(server.exits).toEqual([130]);
    expect(await server.exited).toBe(0);
  });

  test("lets only this machine in without auth, when asked to", async () => {
    const server = machine.start(["serve", "--port", "0", "--json", "--no-auth"]);
    const [line] = await server.stdout.until(/^.*\n/);
    const report = JSON.parse(line) as ServeReport;
    expect(report.login_url).toBeNull();
    expect(report.token_file).toBeNull();
    expect((await createClient({ url: report.url }).sessions.list()).sessions).toEqual([]);
    server.signal("SIGTERM");
    await server.exited;
    const open = await machine.run(["serve", "--no-auth", "--host", "0.0.0.0"]);
    expect(open.code).toBe(2);
    expect(open.stderr).toContain("0.0.0.0");
  });

  test("uses the token of the environment, and refuses one that can be guessed", async () => {
    const strong = "s".repeat(40);
    const server = machine.start(["serve", "--port", "0", "--json"], {
      env: { TURNWIRE_TOKEN: strong },
    });
    const [line] = await server.stdout.until(/^.*\n/);
    const report = JSON.parse(line) as ServeReport;
    expect(report.token_file).toBeNull();
    expect(line).not.toContain(strong);
    await createClient({ url: report.url, token: strong }).sessions.list();
    server.signal("SIGTERM");
    await server.exited;
    const weak = await machine.run(["serve", "--port", "0"], { env: { TURNWIRE_TOKEN: "short" } });
    expect(weak.code).toBe(1);
    expect(weak.stderr).toContain("TURNWIRE_TOKEN is not a safe token");
  });

  test("says what to do about a port that is taken", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const address = holder.address();
    const port = typeof address === "object" && address ? String(address.port) : "";
    const { code, stderr } = await machine.run(["serve", "--port", port]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `turnwire: Port ${port} on 127.0.0.1 is taken: choose another with --port, or a free one with --port 0.\n`,
    );
    expect((await readdir(machine.dataDirectory)).toSorted()).toEqual(["server.lock", "token"]);
    await new Promise((resolve) => holder.close(resolve));
  });

  test.each([
    [["serve", "--store", "oracle"], "--store must be"],
    [["serve", "--runtime", "claude"], 'There is no runtime "claude"; this version has: demo.'],
    [["serve", "--allow-host", "bad host!"], "--allow-host must be a host name like example.com"],
    [["serve", "--allow-host", "example.com:99999"], 'not "example.com:99999"'],
    [["serve", "extra"], 'does not know what to do with "extra"'],
    [["--prot", "1"], "Did you mean --port?"],
  ])("refuses %j as wrong usage", async (args, message) => {
    const { code, stdout, stderr } = await machine.run(args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
  });
});
