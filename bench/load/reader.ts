/** The process that reads: many raw sockets, so cheap that the server is what gets measured. */
import { percentile } from "../report.ts";
import { Connection } from "./connection.ts";
import { sharedNowMs, type LoadCommand, type LoadPlan, type LoadReport } from "./message.ts";
import { StreamText } from "./stream-text.ts";

/** Fewer than a listening socket queues, so that no connection waits for a retry. */
const CONNECT_AT_ONCE = 100;

let connections: Connection[] = [];

process.on("message", (command: LoadCommand) => {
  perform(command).catch((error: unknown) => report({ type: "failed", message: String(error) }));
});

async function perform(command: LoadCommand): Promise<void> {
  switch (command.type) {
    case "connect":
      await connectAll(command.plan);
      return report({ type: "connected" });
    case "ask":
      for (const connection of connections) connection.ask();
      return;
    case "disconnect":
      await Promise.all(connections.map((connection) => connection.close()));
      connections = [];
      return report({ type: "disconnected" });
  }
}

async function connectAll({ port, streams, lastSeq }: LoadPlan): Promise<void> {
  const latenciesMs: number[] = [];
  let unanswered = 0;
  let undone = 0;
  const onAnswered = (): void => {
    unanswered -= 1;
    if (unanswered === 0) report({ type: "answered" });
  };
  const onDone = (): void => {
    undone -= 1;
    if (undone === 0) reportDone(lastSeq, latenciesMs);
  };
  const onFailed = (error: Error): void => report({ type: "failed", message: error.message });
  for (const { request, readers, stalled = 0 } of streams) {
    const text = new StreamText(lastSeq);
    unanswered += readers + stalled;
    undone += readers;
    for (let index = 0; index < readers + stalled; index += 1) {
      const isStalled = index >= readers;
      connections.push(
        new Connection({
          port,
          request,
          text,
          isStalled,
          latenciesMs,
          onAnswered,
          onDone,
          onFailed,
        }),
      );
      if (connections.length % CONNECT_AT_ONCE === 0) await allConnected();
    }
  }
  await allConnected();
}

async function allConnected(): Promise<void> {
  await Promise.all(connections.map((connection) => connection.connected));
}

function reportDone(lastSeq: number, latenciesMs: number[]): void {
  const doneAtMs = sharedNowMs();
  const complete = connections.filter((connection) => connection.bytes > 0);
  const sorted = Float64Array.from(latenciesMs).toSorted();
  report({
    type: "done",
    deliveries: complete.length * lastSeq,
    bytes: complete.reduce((sum, connection) => sum + connection.bytes, 0),
    doneAtMs,
    ...(sorted.length > 0 && {
      latency: { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) },
    }),
  });
}

function report(message: LoadReport): void {
  process.send?.(message);
}
