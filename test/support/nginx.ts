import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { installDebianPackage } from "./debian-package.ts";
import { root } from "../../tools/published-package.ts";

/** Runs before the long lanes whose tests need it. */
export async function setup(): Promise<void> {
  if (findNginx() === undefined) await installDebianPackage("nginx-light");
}

/** The program, where it is installed. */
export function findNginx(): string | undefined {
  const directories = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  return directories.map((directory) => join(directory, "nginx")).find((path) => existsSync(path));
}

export interface NginxOptions {
  readonly program: string;
  /** Which of the files in deploy/nginx has the site. */
  readonly site: "turnwire.conf" | "turnwire-subpath.conf";
  /** The ports of the servers behind it, on this machine. */
  readonly servers: readonly number[];
}

export interface RunningNginx {
  readonly url: string;
  /** The host names that servers behind it must answer to. */
  readonly host: string;
  close(): Promise<void>;
}

/** Runs nginx with our own files; only addresses, certificates and directories are others. */
export async function startNginx(options: NginxOptions): Promise<RunningNginx> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(options, await freePort());
    } catch (error) {
      // Somebody else may have taken the port meanwhile.
      if (attempt === 5 || !String(error).includes("in use")) throw error;
    }
  }
}

async function start(options: NginxOptions, port: number): Promise<RunningNginx> {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-nginx-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  await writeFile(join(directory, "nginx.conf"), await mainFile(options, { directory, port }));
  await writeFile(join(directory, "turnwire-proxy.conf"), await deployed("turnwire-proxy.conf"));
  const child = spawn(options.program, ["-p", directory, "-c", join(directory, "nginx.conf")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit");
  let messages = "";
  child.stderr.setEncoding("utf8");
  const isReady = new Promise<boolean>((resolve) => {
    child.stderr.on("data", (text: string) => {
      messages += text;
      if (messages.includes("start worker process ")) resolve(true);
    });
  });
  if (!(await Promise.race([isReady, exited.then(() => false)]))) {
    await remove();
    throw new Error(`nginx does not start: ${messages}`);
  }
  const host = `127.0.0.1:${port}`;
  return {
    host,
    url: `http://${host}`,
    async close() {
      child.kill("SIGTERM");
      await exited;
      await remove();
    },
  };
}

async function mainFile(
  { site, servers }: NginxOptions,
  { directory, port }: { readonly directory: string; readonly port: number },
): Promise<string> {
  const upstream = (await deployed("turnwire-upstream.conf")).replace(
    /(?:^ *server \S+ .*;\n)+/m,
    (lines) => {
      const [parameters = ""] = /max_fails.*;/.exec(lines) ?? [];
      return servers.map((server) => `    server 127.0.0.1:${server} ${parameters}\n`).join("");
    },
  );
  const siteFile = (await deployed(site))
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_.*;\n/gm, "");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  );
  return [
    // Its workers must get into a directory of ours.
    ...(process.getuid?.() === 0 ? ["user root;"] : []),
    "daemon off;",
    "worker_processes 2;",
    `pid ${directory}/nginx.pid;`,
    "error_log stderr notice;",
    "events {}",
    `http {`,
    "access_log off;",
    ...temporary,
    upstream,
    siteFile,
    "}",
    "",
  ].join("\n");
}

function deployed(name: string): Promise<string> {
  return readFile(join(root, "deploy", "nginx", name), "utf8");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
