import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../client.ts";
import { ManualPlatform } from "../test-support/manual-platform.ts";
import { sampleLog } from "../test-support/sample-event.ts";
import { ScriptedServer } from "../test-support/scripted-server.ts";

let server: ScriptedServer;
let manual: ManualPlatform;

beforeEach(async () => {
  server = await ScriptedServer.start();
  manual = new ManualPlatform();
});

afterEach(() => server.close());

function setUp() {
  const remote = server.addSession("s1", sampleLog(3));
  const client = createClient({ url: server.url, token: server.token, ...manual.platform });
  return { remote, client };
}

describe("a shared session", () => {
  test("is one for all who hold it, with one line", async () => {
    const { remote, client } = setUp();
    const first = client.shareSession("s1");
    const second = client.shareSession("s1");
    expect(second.session).toBe(first.session);
    await first.session.waitFor(({ connection }) => connection.status === "live");
    expect(remote.streamCount).toBe(1);
    first.release();
    second.release();
    manual.advance(5_000);
  });

  test("outlives its last holder by five seconds, so that coming back costs nothing", async () => {
    const { client } = setUp();
    const held = client.shareSession("s1");
    const { session } = held;
    await session.waitFor(({ connection }) => connection.status === "live");
    held.release();
    manual.advance(4_999);
    const again = client.shareSession("s1");
    expect(again.session).toBe(session);
    manual.advance(4_999);
    expect(session.getState().connection.status).toBe("live");
    again.release();
    manual.advance(5_000);
    expect(session.getState().connection.status).toBe("closed");
    expect(manual.timerCount).toBe(0);
    expect(manual.hintListenerCount).toBe(0);
  });

  test("is let go once by each holder, however often it says so", async () => {
    const { client } = setUp();
    const first = client.shareSession("s1");
    const second = client.shareSession("s1");
    first.release();
    first.release();
    manual.advance(60_000);
    expect(second.session.getState().connection.status).not.toBe("closed");
    second.release();
    manual.advance(5_000);
    expect(second.session.getState().connection.status).toBe("closed");
  });

  test("is opened again after it was closed", async () => {
    const { client } = setUp();
    const first = client.shareSession("s1");
    first.release();
    manual.advance(5_000);
    const second = client.shareSession("s1");
    expect(second.session).not.toBe(first.session);
    await second.session.waitFor(({ connection }) => connection.status === "live");
    second.release();
    manual.advance(5_000);
  });

  test("that had failed for good tries again for a new holder", async () => {
    const { client } = setUp();
    const first = client.shareSession("later");
    await expect(first.session.waitFor(() => false)).rejects.toMatchObject({ status: 404 });
    server.addSession("later", sampleLog(1));
    const second = client.shareSession("later");
    await second.session.waitFor(({ connection }) => connection.status === "live");
    first.release();
    second.release();
    manual.advance(5_000);
  });

  test("is another on another client", () => {
    const { client } = setUp();
    const other = createClient({ url: server.url, token: server.token, ...manual.platform });
    const mine = client.shareSession("s1");
    const theirs = other.shareSession("s1");
    expect(theirs.session).not.toBe(mine.session);
    mine.release();
    theirs.release();
    manual.advance(5_000);
  });
});
