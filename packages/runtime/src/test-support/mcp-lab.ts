import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { detach } from "@turnwire/base";
import type { McpServer } from "@turnwire/protocol";

export const labProgram = fileURLToPath(new URL("./mcp-program.js", import.meta.url));

/** What the tool `greet` says where the secret has arrived. */
export function greeting(secret: string): string {
  return `hello, ${createHash("sha256").update(secret).digest("hex").slice(0, 12)}`;
}

export function stdioLab(secret: string): McpServer {
  return {
    type: "stdio",
    command: process.execPath,
    args: [labProgram],
    env: { LAB_SECRET: secret },
  };
}

/** The program's answer to one message; empty where it wants none. */
async function answerTo(message: string, secret: string): Promise<string> {
  const child = spawn(process.execPath, [labProgram], {
    env: { LAB_SECRET: secret },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(`${message}\n`);
  return text(child.stdout);
}

/** The same server over HTTP, which takes the secret as a bearer token. */
export async function startHttpLab(
  secret: string,
): Promise<{ server: McpServer; close: () => Promise<void> }> {
  const http = createServer((request, response) => {
    const respond = async () => {
      const body = await text(request);
      const token = (request.headers.authorization ?? "").replace("Bearer ", "");
      const answer = request.method === "POST" ? await answerTo(body, token) : "";
      const refusal = request.method === "POST" ? 202 : 405;
      response.writeHead(answer === "" ? refusal : 200, { "content-type": "application/json" });
      response.end(answer);
    };
    detach(respond(), (error) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    server: {
      type: "http",
      url: `http://127.0.0.1:${port}/mcp`,
      headers: { Authorization: `Bearer ${secret}` },
    },
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
