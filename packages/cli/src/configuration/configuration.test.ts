import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseArguments } from "../option/argument.ts";
import { CliError } from "../error/cli-error.ts";
import { dataDirectoryFrom, serverConfigurationFrom } from "./configuration.ts";
import { commandOptions } from "../option/option-table.ts";
import { TestMachine } from "../test-support/cli-run.ts";

describe("the configuration of a server", () => {
  let machine: TestMachine;

  beforeEach(async () => {
    machine = await TestMachine.create();
  });

  afterEach(() => machine.remove());

  function configure(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const { values } = parseArguments(commandOptions.serve, args, { env });
    return serverConfigurationFrom(values, { env, cwd: machine.home, home: machine.home });
  }

  async function refusal(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CliError> {
    const error: unknown = await configure(args, env).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error instanceof CliError) return error;
    throw new Error("nothing was refused", { cause: error });
  }

  test("is safe and works by default", async () => {
    expect(await configure([])).toEqual({
      host: "127.0.0.1",
      port: 4747,
      dataDirectory: join(machine.home, ".turnwire"),
      store: {
        type: "sqlite",
        path: join(machine.home, ".turnwire", "turnwire.db"),
        durability: "durable",
      },
      runtime: undefined,
      roots: [],
      startDirectory: undefined,
      home: machine.home,
      trusted: [],
      usesUserSettings: true,
      ringSize: undefined,
      retainEvents: undefined,
      idleMs: undefined,
      maxLiveRuns: undefined,
      hosting: { drainMs: 30_000 },
      webkitReplay: "store",
      allowedOrigins: [],
      allowedHosts: [],
      isAuthOff: false,
      defaults: {},
      worktrees: {},
      token: undefined,
    });
  });

  test("limits the log by --retain alone, a log in memory by default", async () => {
    expect(await configure(["--ring", "5"])).toMatchObject({
      ringSize: 5,
      retainEvents: undefined,
    });
    expect(await configure(["--retain", "7"])).toMatchObject({
      ringSize: undefined,
      retainEvents: 7,
    });
    expect(await configure(["--store", "memory"])).toMatchObject({ retainEvents: 10_000 });
    expect(await configure(["--store", "memory", "--retain", "7", "--ring", "5"])).toMatchObject({
      ringSize: 5,
      retainEvents: 7,
    });
  });

  test("names --retain to whoever limits a log in memory by --ring, as was once done", async () => {
    const error = await refusal(["--store", "memory", "--ring", "5"]);
    expect(error.code).toBe("usage");
    expect(error.message).toContain("--retain 5");
    const webkit = ["--store", "memory", "--ring", "5", "--webkit-replay", "ring"];
    expect(await configure(webkit)).toMatchObject({ ringSize: 5, retainEvents: 10_000 });
  });

  test("hears every variable", async () => {
    await mkdir(join(machine.home, "a"));
    const env = {
      TURNWIRE_HOST: "::1",
      TURNWIRE_PORT: "0",
      TURNWIRE_DATA: "state",
      TURNWIRE_STORE: "memory",
      TURNWIRE_RUNTIME: "other",
      TURNWIRE_TRUST: "a",
      TURNWIRE_NO_USER_SETTINGS: "1",
      TURNWIRE_RING: "5",
      TURNWIRE_RETAIN: "50",
      TURNWIRE_IDLE: "1000",
      TURNWIRE_NO_AUTH: "1",
      TURNWIRE_ALLOW_ORIGIN: "https://a.example,https://b.example/path",
      TURNWIRE_ALLOW_HOST: "box.local",
      TURNWIRE_ROOT: `${join(machine.home, "a")}:.`,
      TURNWIRE_MAX_LIVE: "3",
      TURNWIRE_MAX_LIVE_SHARED: "9",
      TURNWIRE_DRAIN_SECONDS: "5",
      TURNWIRE_STORAGE: "disk",
      TURNWIRE_LEASE_SECONDS: "4",
      TURNWIRE_WEBKIT_REPLAY: "ring",
      TURNWIRE_TOKEN: "secret",
    };
    expect(await configure([], env)).toEqual({
      host: "::1",
      port: 0,
      dataDirectory: join(machine.home, "state"),
      store: { type: "memory" },
      runtime: "other",
      roots: [join(machine.home, "a"), machine.home],
      startDirectory: undefined,
      home: machine.home,
      trusted: [join(machine.home, "a")],
      usesUserSettings: false,
      ringSize: 5,
      retainEvents: 50,
      idleMs: 1000,
      maxLiveRuns: 3,
      maxSharedRuns: 9,
      hosting: { drainMs: 5000, leaseMs: 4000, storage: "disk" },
      webkitReplay: "ring",
      allowedOrigins: ["https://a.example", "https://b.example"],
      allowedHosts: ["box.local"],
      isAuthOff: true,
      defaults: {},
      worktrees: {},
      token: "secret",
    });
  });

  test("takes a flag before its variable", async () => {
    const env = { TURNWIRE_PORT: "1", TURNWIRE_DURABILITY: "fast", TURNWIRE_DATA: "/elsewhere" };
    const configuration = await configure(["--port", "2", "--data", "here"], env);
    expect(configuration.port).toBe(2);
    expect(configuration.dataDirectory).toBe(join(machine.home, "here"));
    expect(configuration.store).toMatchObject({ durability: "fast" });
  });

  test.each([["0.0.0.0"], ["192.168.0.10"], ["::"], ["example.com"]])(
    "refuses to be without auth on %s",
    async (host) => {
      const { message, exitCode } = await refusal(["--no-auth", "--host", host]);
      expect(message).toContain(host);
      expect(exitCode).toBe(2);
    },
  );

  test("takes a Postgres server, or one that is started here", async () => {
    const url = "postgres://user:secret@db:5433/turnwire?sslmode=require";
    expect((await configure(["--store", url])).store).toEqual({ type: "postgres", url });
    expect((await configure(["--store", "postgresql:///turnwire?host=/run"])).store).toEqual({
      type: "postgres",
      url: "postgresql:///turnwire?host=/run",
    });
    expect((await configure(["--store", "postgres"])).store).toEqual({
      type: "local-postgres",
      directory: join(machine.home, ".turnwire", "postgres"),
    });
  });

  test("names what is wrong", async () => {
    expect((await refusal(["--store", "redis"])).message).toBe(
      '--store must be sqlite, memory, postgres or postgres://…, not "redis".',
    );
    expect((await refusal(["--root", "missing"])).message).toContain("--root missing");
    expect((await refusal(["--allow-origin", "example.com"])).message).toContain("--allow-origin");
  });

  test("keeps its data in the home directory unless told otherwise", () => {
    const place = { cwd: "/work", home: "/home/me" };
    expect(dataDirectoryFrom(undefined, place)).toBe("/home/me/.turnwire");
    expect(dataDirectoryFrom("data", place)).toBe("/work/data");
    expect(dataDirectoryFrom("/data", place)).toBe("/data");
  });
});
