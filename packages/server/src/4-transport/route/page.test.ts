import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { rawRequest, statusOf } from "../test-support/raw-request.ts";
import { codeOf, startServer, testToken } from "../test-support/running-server.ts";

function hashesOf(page: string, tag: "script" | "style"): string[] {
  const inline = [...page.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, "g"))];
  return inline.map(
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
}

describe("the welcome page", () => {
  test("says that Turnwire runs and what to do next, without any secret", async () => {
    const { url, createSession } = await startServer();
    await createSession({ title: "private title" });
    const answer = await fetch(`${url}/`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const page = await answer.text();
    expect(page).toContain("npx turnwire chat");
    expect(page).toContain("npx turnwire login");
    expect(page).not.toContain(testToken);
    expect(page).not.toContain("private title");
  });

  test("and the page of a bad link name what commands need to reach the server, as text", async () => {
    const { url } = await startServer({ cliOptions: `--data '/srv/</script>"<b>'` });
    const headers = { accept: "text/html" };
    const welcome = await (await fetch(`${url}/`)).text();
    const failed = await (await fetch(`${url}/login/none`, { headers })).text();
    const options = "--data '/srv/&lt;/script&gt;&quot;&lt;b&gt;'";
    expect(welcome).toContain(`npx turnwire chat ${options}`);
    expect(failed).toContain(`npx turnwire login ${options}`);
    for (const page of [welcome, failed]) expect(page).not.toContain('</script>"<b>');
  });

  test("runs its own script and style only", async () => {
    const { url } = await startServer();
    const answer = await fetch(`${url}/`);
    const policy = answer.headers.get("content-security-policy") ?? "";
    const page = await answer.text();
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    for (const tag of ["script", "style"] as const) {
      const hashes = hashesOf(page, tag);
      expect(hashes).toHaveLength(1);
      expect(policy).toContain(`${tag}-src ${hashes[0]}`);
    }
    expect(page).not.toMatch(/ on[a-z]+=|innerHTML|javascript:/);
  });
});

describe("a web application", () => {
  async function serveApp(pagePorts: readonly number[] = []) {
    const parent = await mkdtemp(join(tmpdir(), "turnwire-web-"));
    onTestFinished(() => rm(parent, { recursive: true, force: true }));
    const webRoot = join(parent, "app");
    await mkdir(join(webRoot, "assets"), { recursive: true });
    await writeFile(join(parent, "secret.txt"), "top secret");
    await mkdir(`${webRoot}-evil`);
    await writeFile(join(`${webRoot}-evil`, "secret.txt"), "top secret");
    await writeFile(join(webRoot, "index.html"), '<base href="./" /><title>app</title>');
    await writeFile(join(webRoot, "icon.svg"), "<svg/>");
    await writeFile(join(webRoot, "assets", "app.js"), "export {};");
    await writeFile(join(webRoot, "assets", "app.js.gz"), gzipSync("export {};"));
    return startServer({
      webRoot,
      allowedHosts: ["agents.example"],
      wires: [{ name: "ports", pagePorts }],
    });
  }

  test("learns in its page what commands need to reach the server, as text", async () => {
    const webRoot = await mkdtemp(join(tmpdir(), "turnwire-web-"));
    onTestFinished(() => rm(webRoot, { recursive: true, force: true }));
    const tag = '<meta name="turnwire-cli-options" content="" />';
    await writeFile(join(webRoot, "index.html"), tag);
    const { url } = await startServer({ webRoot, cliOptions: `--data '/a"$&<b>'` });
    expect(await (await fetch(`${url}/`)).text()).toBe(
      `<meta name="turnwire-cli-options" content="--data '/a&quot;$&amp;&lt;b&gt;'" />`,
    );
    const other = await startServer({ webRoot });
    expect(await (await fetch(`${other.url}/`)).text()).toBe(tag);
  });

  test.each([
    ["/", "./"],
    ["/index.html", "./"],
    ["/s/some-session", "../"],
    ["/some/deep/way", "../../"],
  ])("gives its first page to a person at %s, with the way back to its root", async (path, way) => {
    const { url } = await serveApp();
    const answer = await fetch(`${url}${path}`, { headers: { accept: "text/html" } });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(`<base href="${way}" /><title>app</title>`);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toContain("unsafe");
  });

  test("may connect to the ports that wires name where it is opened on it, and to nothing else", async () => {
    const { url, port } = await serveApp([8765, 8766]);
    const page = await fetch(url, { headers: { accept: "text/html" } });
    expect(page.headers.get("content-security-policy")).toContain(
      "; connect-src 'self' ws://127.0.0.1:8765 ws://127.0.0.1:8766;",
    );
    const elsewhere = await rawRequest(port, ["GET / HTTP/1.1", "Host: agents.example"]);
    expect(elsewhere).toContain("; connect-src 'self';");
    const { url: other } = await serveApp();
    const plain = await fetch(other, { headers: { accept: "text/html" } });
    expect(plain.headers.get("content-security-policy")).toContain("; connect-src 'self';");
  });

  test("gives files for ever where their names depend on their content, else only if unchanged", async () => {
    const { url } = await serveApp();
    const script = await fetch(`${url}/assets/app.js`, { headers: { "accept-encoding": "gzip" } });
    expect(script.status).toBe(200);
    expect(script.headers.get("content-type")).toContain("javascript");
    expect(script.headers.get("content-encoding")).toBe("gzip");
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(script.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(await script.text()).toBe("export {};");
    const icon = await fetch(`${url}/icon.svg`);
    expect(icon.headers.get("content-type")).toContain("image/svg+xml");
    expect(icon.headers.get("cache-control")).toBe("no-cache");
  });

  test("has no page for a path that no person opens", async () => {
    const { url } = await serveApp();
    expect((await fetch(`${url}/s/some-session`)).status).toBe(401);
    const missing = await fetch(`${url}/assets/gone.js`, { headers: { accept: "*/*" } });
    expect(missing.status).toBe(401);
  });

  test("leaves the API as it is", async () => {
    const { url, request } = await serveApp();
    expect((await request("/sessions")).status).toBe(200);
    expect((await fetch(`${url}/sessions`)).status).toBe(401);
    expect(await codeOf(await request("/none"))).toBe("not_found");
  });

  test.each([
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e%2fsecret.txt",
    "/assets/../../secret.txt",
    "/..\\secret.txt",
    "/%5c..%5csecret.txt",
    "/../app-evil/secret.txt",
    "/assets/%00",
    "//etc/passwd",
  ])("gives nothing from outside: %s", async (path) => {
    const { port } = await serveApp();
    const answer = await rawRequest(port, [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`]);
    expect(answer).not.toContain("top secret");
    expect(answer).not.toContain("root:");
    expect([400, 401, 404]).toContain(statusOf(answer));
  });
});
