import { ChildProcess } from "node:child_process";
import { Server, Socket, type AddressInfo } from "node:net";
import { inspect } from "node:util";

const longestLine = 200;
const mostLines = 20;

/** The newest `expect.poll` of a test: where it was called, and what it saw last. */
export type Poll = { readonly site: Error; attempts: number; lastMs: number; lastValue: unknown };

function addressOf(address: AddressInfo | string | null): string {
  return typeof address === "object" ? `port ${address?.port}` : address;
}

function describeHandle(handle: unknown): string | undefined {
  if (handle instanceof ChildProcess && handle.exitCode === null)
    return `process ${handle.pid}: ${handle.spawnargs.join(" ")}`;
  if (handle instanceof Server && handle.listening)
    return `server on ${addressOf(handle.address())}`;
  if (handle instanceof Socket && handle.remotePort !== undefined)
    return `connection from port ${handle.localPort} to ${handle.remoteAddress}:${handle.remotePort}`;
  return undefined;
}

function bounded(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine)}...` : line;
}

/** Child processes, servers and connections by name, and all that keeps the process alive by count. */
export function describeWork(handles: readonly unknown[], resources: readonly string[]): string[] {
  const lines = handles.map(describeHandle).filter((line) => line !== undefined);
  const counts = new Map<string, number>();
  for (const resource of resources) counts.set(resource, (counts.get(resource) ?? 0) + 1);
  const total = [...counts].map(([resource, count]) => `${count} ${resource}`).join(", ");
  const more = lines.length > mostLines ? [`... and ${lines.length - mostLines} more`] : [];
  return [...lines.slice(0, mostLines).map(bounded), ...more, `in all: ${total}`];
}

/** A poll that has been quiet for longer than any interval between its attempts has settled. */
export function describePoll(poll: Poll, nowMs: number): string[] {
  if (nowMs - poll.lastMs > 5000) return [];
  const frames = poll.site.stack?.split("\n").slice(1) ?? [];
  const frame = frames.find(
    (line) => !line.includes("node_modules") && !line.includes("waiting.ts"),
  );
  const value = inspect(poll.lastValue, { depth: 2, breakLength: Infinity });
  return [
    bounded(`expect.poll ${frame?.trim() ?? ""}, attempt ${poll.attempts}, last value ${value}`),
  ];
}
