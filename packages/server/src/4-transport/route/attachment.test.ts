import { createHash } from "node:crypto";
import { draft, type EventDraft, type SessionEvent } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { wholeLog } from "../../../../log/src/test-support/whole-log.ts";
import { rawRequest, statusOf } from "../test-support/raw-request.ts";
import { codeOf, startServer, testToken } from "../test-support/running-server.ts";

const text = Array.from({ length: 60_000 }, (_, line) => `line ${line}`).join("\n");
const size = Buffer.byteLength(text);

function result(output: Extract<EventDraft, { type: "tool_result" }>["data"]["output"]) {
  return draft("tool_result", { tool_use_id: "t", output, is_error: false });
}

function imageOf(mimeType: string) {
  return result([{ type: "image", mimeType, data: Buffer.alloc(400_000, 9).toString("base64") }]);
}

async function withAttachment(event: EventDraft = result(text)) {
  const running = await startServer();
  const id = await running.createSession();
  const { log } = await running.session(id);
  await wholeLog(log).append([event]).committed;
  const [stored] = await log.read(log.head - 1, 1);
  const { attachments = [] }: SessionEvent = JSON.parse(stored?.json ?? "{}");
  const digest = attachments[0]?.digest ?? "";
  return { ...running, id, digest, path: `/sessions/${id}/attachments/${digest}` };
}

describe("an attachment over HTTP", () => {
  test("is served whole, as something that cannot run, to be kept by its reader", async () => {
    const { request, path, digest } = await withAttachment();
    const answer = await request(path);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-length": String(size),
      "content-disposition": "inline",
      "content-security-policy": expect.stringContaining("sandbox; default-src 'none'"),
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "private, max-age=31536000, immutable",
      "accept-ranges": "bytes",
      etag: `"${digest}"`,
    });
    expect((await answer.text()) === text).toBe(true);
  });

  test("is served in ranges", async () => {
    const { request, path, digest } = await withAttachment();
    const part = await request(path, { headers: { range: "bytes=300000-300009" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 300000-300009/${size}`);
    expect(await part.text()).toBe(text.slice(300_000, 300_010));
    const end = await request(path, { headers: { range: "bytes=-5", "if-range": `"${digest}"` } });
    expect(await end.text()).toBe(text.slice(-5));
    const other = await request(path, { headers: { range: "bytes=0-1", "if-range": '"other"' } });
    expect(other.status).toBe(200);
    await other.arrayBuffer();
    const beyond = await request(path, { headers: { range: `bytes=${size}-` } });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${size}`]);
  });

  test("is not sent to who has it, nor to who asks for its headers only", async () => {
    const { request, path, digest, port, id } = await withAttachment();
    const known = await request(path, { headers: { "if-none-match": `"${digest}"` } });
    expect(known.status).toBe(304);
    const head = await rawRequest(port, [
      `HEAD /sessions/${id}/attachments/${digest} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${testToken}`,
    ]);
    expect(statusOf(head)).toBe(200);
    expect(head.toLowerCase()).toContain(`content-length: ${size}\r\n`);
    expect(head.endsWith("\r\n\r\n")).toBe(true);
  });

  test.each([
    ["image/png", "image/png", "inline"],
    ["image/svg+xml", "application/octet-stream", "attachment"],
    ["text/html", "application/octet-stream", "attachment"],
    ["application/pdf", "application/pdf", "attachment"],
  ])("that calls itself %s is served as %s, %s", async (claimed, type, disposition) => {
    const { request, path } = await withAttachment(imageOf(claimed));
    const answer = await request(path);
    expect(answer.headers.get("content-type")).toBe(type);
    expect(answer.headers.get("content-disposition")?.split(";")[0]).toBe(disposition);
    expect((await answer.arrayBuffer()).byteLength).toBe(400_000);
  });

  test("of another session is not found, whatever its digest", async () => {
    const { request, digest, createSession, session } = await withAttachment();
    const other = await createSession();
    for (const path of [
      `/sessions/${other}/attachments/${digest}`,
      `/sessions/${other}/attachments/sha256-0`,
      `/sessions/${other}/attachments/..%2F${digest}`,
    ]) {
      const answer = await request(path);
      expect(answer.status).toBe(404);
      expect(await codeOf(answer)).toBe("not_found");
    }
    expect((await session(other)).id).toBe(other);
  });

  test("needs a credential, and the right one", async () => {
    const { url, path, request } = await withAttachment();
    expect((await fetch(`${url}${path}`)).status).toBe(401);
    expect((await request(path, { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
  });

  test("of somebody else's session is not found, also for who has the same bytes", async () => {
    const { request, host } = await startServer({
      auth: {
        type: "authorize",
        authorize: ({ bearer = "" }) => (bearer === "" ? null : { id: bearer, isAdmin: false }),
      },
    });
    const as = (id: string) => ({ headers: { authorization: `Bearer ${id}` } });
    const [ann, bob] = await Promise.all(
      ["ann", "bob"].map(async (id) => {
        const created = await request("/sessions", { json: {}, ...as(id) });
        const { session_id } = (await created.json()) as { session_id: string };
        const session = await host.open(session_id, { id, isAdmin: false });
        if (!session.ok) throw new Error(session.error.message);
        await wholeLog(session.value.log).append([result(text)]).committed;
        return session_id;
      }),
    );
    const digest = `sha256-${createHash("sha256").update(text).digest("hex")}`;
    expect((await request(`/sessions/${ann}/attachments/${digest}`, as("ann"))).status).toBe(200);
    expect((await request(`/sessions/${ann}/attachments/${digest}`, as("bob"))).status).toBe(404);
    expect((await request(`/sessions/${bob}/attachments/${digest}`, as("bob"))).status).toBe(200);
  });

  test("is given up when its reader leaves in the middle", async () => {
    const large = "x".repeat(8 * 1024 * 1024);
    const { request, path, metric, errors } = await withAttachment(result(large));
    const abort = new AbortController();
    const answer = await request(path, { signal: abort.signal });
    await answer.body?.getReader().read();
    abort.abort();
    expect(await metric("turnwire_sessions_loaded")).toBeGreaterThanOrEqual(0);
    expect(errors).toEqual([]);
  });
});
