import type { CommandOf } from "@turnwire/protocol";
import { expect, test } from "vitest";
import {
  openForTest,
  tamper,
  temporaryPath,
} from "../../../../log/src/store/sqlite/test-support/temporary-store.ts";
import { eventOf } from "../../test-support/log-reader.ts";
import { ScriptedRuntime } from "../../test-support/scripted-runtime.ts";
import { admin, createTestSession, openTestHost } from "../../test-support/test-host.ts";
import type { Session } from "../session.ts";

export function hostWith(
  options: Parameters<typeof openTestHost>[0] = {},
): ReturnType<typeof openTestHost> {
  const runtime = new ScriptedRuntime({ images: true, edit_tool_input: true });
  return { ...openTestHost({ runtimes: [runtime], ...options }), runtime };
}

export async function runningTurn(session: Session, runtime: ScriptedRuntime) {
  await session.execute({ type: "user_message", content: "go" }, admin);
  const run = await runtime.run();
  const { input } = await run.wasAsked("send");
  return { run, turnId: input.turnId };
}

/** Short, so that a failure does not print a picture. */
function dataOf(content: readonly unknown[]): string {
  const [, block] = content as readonly { source?: { data: string } }[];
  return block?.source?.data ?? "";
}

/** What holds of a message with a picture of that many bytes. */
export function testMessageWithPicture(bytes: number): void {
  const image = Buffer.alloc(bytes, "picture").toString("base64");

  function withImage(data = image): CommandOf<"user_message"> {
    const source = { type: "base64", media_type: "image/png", data } as const;
    return {
      type: "user_message",
      content: [
        { type: "text", text: "what is this?" },
        { type: "image", source },
      ],
    };
  }

  test("is a small event and reaches the agent whole", async () => {
    const { host, runtime } = hostWith();
    const session = await createTestSession(host);
    expect(await session.execute(withImage(), admin)).toMatchObject({ ok: true });
    const { input } = await (await runtime.run()).wasAsked("send");
    expect(dataOf(input.content) === image).toBe(true);
    expect(input).not.toHaveProperty("attachments");
    const event = await eventOf(session.log, "user_message");
    expect(JSON.stringify(event).length).toBeLessThan(1000);
    expect((await session.snapshot()).state.messages[0]).toMatchObject({
      attachments: [{ path: "/content/1/source/data", size: bytes }],
    });
  });

  test("that waits takes little memory and reaches the agent whole after a restart", async () => {
    const path = await temporaryPath();
    const store = await openForTest(path);
    const { host, runtime } = hostWith({ store });
    const session = await createTestSession(host);
    await runningTurn(session, runtime);
    await session.execute(withImage(), admin);
    expect(JSON.stringify(session.control.queue).length).toBeLessThan(1000);
    await host.close();
    await store.close();

    const again = hostWith({ store: await openForTest(path) });
    await again.host.recover();
    const { input } = await (await again.runtime.run()).wasAsked("send");
    expect(dataOf(input.content) === image).toBe(true);
  });

  test("is the same message when it is sent again, and another with another picture", async () => {
    const { host } = hostWith();
    const session = await createTestSession(host);
    const sent = { ...withImage(), client_message_id: "c1" };
    await session.execute(sent, admin);
    expect(await session.execute(sent, admin)).toMatchObject({ value: { duplicate: true } });
    const other = { ...withImage(`${image.slice(0, -4)}AAAA`), client_message_id: "c1" };
    expect(await session.execute(other, admin)).toMatchObject({
      error: { code: "idempotency_conflict" },
    });
  });

  test("whose picture is lost ends its turn instead of reaching the agent without it", async () => {
    const path = await temporaryPath();
    const store = await openForTest(path);
    const { host, runtime } = hostWith({ store });
    const session = await createTestSession(host);
    await runningTurn(session, runtime);
    await session.execute(withImage(), admin);
    await host.close();
    await store.close();
    await tamper(path, (database) => database.exec("DELETE FROM blob_chunks WHERE position = 3"));

    const again = hostWith({ store: await openForTest(path) });
    await again.host.recover();
    const opened = await again.host.open(session.id, admin);
    if (!opened.ok) throw new Error(opened.error.message);
    await eventOf(opened.value.log, "done", 2);
    expect((await again.runtime.run()).asked).not.toContainEqual(
      expect.objectContaining({ type: "send" }),
    );
  });
}
