import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { builtProgram } from "../../../test/support/built-program.ts";

const directory = join(import.meta.dirname, "..");
export const token = "example-token-0123456789-abcdefghijklmnopqrstuvwxyz";
const headers = { authorization: `Bearer ${token}` };

interface Frame {
  readonly type: string;
  readonly sessionId: string | null;
  readonly outcome?: string;
  readonly message?: { readonly type: string };
  readonly request?: { readonly requestId: string };
}

/** An application with Turnwire in it, as a process of its own. */
export async function startMounted(
  name: string,
): Promise<{ application: ChildProcess; url: string }> {
  const program = await builtProgram(join(directory, "serve.ts"));
  const application = spawn(process.execPath, [program, name], {
    cwd: directory,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TURNWIRE_TOKEN: token },
  });
  onTestFinished(() => void application.kill("SIGKILL"));
  const [line]: string[] = await once(createInterface({ input: application.stdout }), "line");
  const [, url = ""] = /^(\S+) takes the token/.exec(line ?? "") ?? [];
  return { application, url };
}

/** A plain client of the kit's wire. */
async function openKit(url: string) {
  const socket = new WebSocket(`${url.replace("http:", "ws:")}/ws`, { headers });
  const frames: Frame[] = [];
  let look = (): void => undefined;
  socket.on("message", (data: Buffer) => {
    frames.push(JSON.parse(data.toString()) as Frame);
    look();
  });
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  return {
    socket,
    frames,
    send: (message: object) => socket.send(JSON.stringify(message)),
    find: (isIt: (frame: Frame) => boolean): Promise<Frame> =>
      new Promise((resolve) => {
        look = () => {
          const found = frames.find(isIt);
          if (found) resolve(found);
        };
        look();
      }),
  };
}

const isResult = ({ message }: Frame): boolean => message?.type === "result";

/** Promises that hold however Turnwire is mounted. */
export function testMounted(...names: readonly string[]): void {
  describe.each(names)("mounted in %s", (name) => {
    test("it answers below its path only, with its guard and its auth", async () => {
      const { url: at } = await startMounted(name);
      expect(await (await fetch(new URL("/", at))).text()).toBe("the application");
      expect(await (await fetch(`${at}/health`, { headers })).json()).toMatchObject({
        status: "ok",
      });
      expect((await fetch(`${at}/sessions`)).status).toBe(401);
      const foreign = { ...headers, origin: "https://evil.example" };
      expect((await fetch(`${at}/sessions`, { headers: foreign })).status).toBe(403);
      const created = await fetch(`${at}/sessions`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ title: "mounted" }),
      });
      expect([created.status, await created.json()]).toMatchObject([201, { title: "mounted" }]);
      const other = new WebSocket(new URL("/other", at.replace("http:", "ws:")), { headers });
      await expect(once(other, "open")).rejects.toThrow(/socket hang up|404/);
    });

    test("a kit conversation is joined, resumed, asked about and interrupted", async () => {
      const { url: root, application } = await startMounted(name);
      const first = await openKit(root);
      first.send({ type: "chat", content: "/permission" });
      const { sessionId, request } = await first.find(
        ({ type }) => type === "permission_requested",
      );
      const second = await openKit(root);
      second.send({ type: "resume", sessionId });
      const asked = await second.find(({ type }) => type === "permission_requested");
      expect(asked.request).toEqual(request);
      second.send({
        type: "permissionResponse",
        requestId: request?.requestId,
        behavior: "allow",
      });
      await first.find(isResult);
      const third = await openKit(root);
      third.send({ type: "chat", content: "/permission" });
      const { sessionId: other } = await third.find(({ type }) => type === "permission_requested");
      const fourth = await openKit(root);
      fourth.send({ type: "resume", sessionId: other });
      await fourth.find(({ type }) => type === "messages_updated");
      fourth.send({ type: "interrupt" });
      const resolved = await third.find(({ type }) => type === "permission_resolved");
      expect(resolved.outcome).toBe("cancelled");
      await third.find(isResult);
      const unused = await openKit(root);
      const closed = [first, second, third, fourth, unused].map(({ socket }) =>
        once(socket, "close"),
      );
      application.kill("SIGTERM");
      expect((await Promise.all(closed)).map(([code]: number[]) => code)).toEqual(
        closed.map(() => 1001),
      );
      expect(await once(application, "exit")).toEqual([0, null]);
    });
  });
}
