import { connect } from "node:net";

/** Sends bytes as they are and resolves with all that comes back until the server closes. */
export function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1");
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
    socket.on("error", reject);
    socket.write(text);
  });
}

/** A request with the given lines, on a connection of its own. */
export function rawRequest(port: number, lines: readonly string[], body = ""): Promise<string> {
  return sendRaw(port, `${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 ([0-9]{3})/.exec(answer)?.[1] ?? 0);
}
