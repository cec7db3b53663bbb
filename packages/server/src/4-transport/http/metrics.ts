import type { IncomingMessage } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { StoreHealth } from "@turnwire/log";
import type { HostMetrics } from "../../2-session/record/session-log.ts";
import type { StoreMeter } from "../../3-host/store-meter.ts";

const NANOSECONDS = 1e9;
/** Strangers must not be able to make new series. */
const KNOWN_METHODS = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]);

/** What is looked up when somebody asks. */
export interface ObservedMetrics extends HostMetrics {
  readonly framedLogs: number;
}

export interface MetricsSource {
  readonly observe: () => ObservedMetrics;
  readonly storeHealth: () => Promise<StoreHealth>;
  readonly storeMeter: StoreMeter;
}

/** In seconds: from a commit in memory to a database that hangs. */
const STORE_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 15];

/** What a server counts, in a registry of its own. */
export class Metrics {
  readonly subscribers: Gauge<"transport">;
  readonly sentBytes: Counter;
  readonly slowReaders: Counter;
  readonly authFailures: Counter;
  readonly #requests: Counter<"method" | "route" | "status">;
  readonly #registry = new Registry();
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });

  readonly #stopMeter: () => void;

  constructor({ observe, storeHealth, storeMeter }: MetricsSource) {
    const registers = [this.#registry];
    this.subscribers = new Gauge({
      name: "turnwire_subscribers",
      help: "Readers connected now",
      labelNames: ["transport"],
      registers,
    });
    this.sentBytes = new Counter({
      name: "turnwire_sent_bytes_total",
      help: "Bytes of events and keepalives written to readers",
      registers,
    });
    this.slowReaders = new Counter({
      name: "turnwire_slow_readers_total",
      help: "Readers let go because they took nothing for too long",
      registers,
    });
    this.authFailures = new Counter({
      name: "turnwire_auth_failures_total",
      help: "Requests with a wrong credential",
      registers,
    });
    this.#requests = new Counter({
      name: "turnwire_http_requests_total",
      help: "Answered requests by route and status",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#observe(observe);
    this.#observeStore(storeHealth);
    this.#stopMeter = this.#measureStore(storeMeter);
    this.#observeLag();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  countRequest(incoming: IncomingMessage, status: number, route: string): void {
    const { method: given = "" } = incoming;
    const method = KNOWN_METHODS.has(given) ? given : "other";
    this.#requests.inc({ method, route, status });
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  close(): void {
    this.#stopMeter();
    this.#delay.disable();
    this.#registry.clear();
  }

  #observe(observe: () => ObservedMetrics): void {
    const observed: readonly [string, string, keyof ObservedMetrics][] = [
      ["turnwire_sessions_loaded", "Sessions that this host holds", "sessionsLoaded"],
      [
        "turnwire_sessions_followed",
        "Sessions of other hosts that are followed here",
        "sessionsFollowed",
      ],
      [
        "turnwire_takeovers_total",
        "Sessions that were taken over from hosts that left them",
        "takeovers",
      ],
      [
        "turnwire_poll_catches_total",
        "Times that a poll found events of a followed session without a hint",
        "pollCatches",
      ],
      ["turnwire_live_runs", "Agents that run now", "liveRuns"],
      ["turnwire_framed_logs", "Logs whose frames are kept for readers", "framedLogs"],
      ["turnwire_events_appended_total", "Events written to logs", "eventsAppended"],
      ["turnwire_commits_total", "Commits of events to the store", "commits"],
    ];
    for (const [name, help, key] of observed) {
      const Kind = name.endsWith("_total") ? Counter : Gauge;
      const metric = new Kind({
        name,
        help,
        registers: [this.#registry],
        collect: () => {
          metric.reset();
          metric.inc(observe()[key]);
        },
      });
    }
  }

  #observeStore(health: () => Promise<StoreHealth>): void {
    const observed: readonly [string, string, (health: StoreHealth) => number][] = [
      [
        "turnwire_store_writable",
        "1 when the store can write, else 0",
        (found) => Number(found.isWritable),
      ],
      ["turnwire_store_write_failures_total", "Writes that failed", (found) => found.failedWrites],
      [
        "turnwire_store_restarts_total",
        "Restarts of the store's writer",
        (found) => found.restarts,
      ],
    ];
    for (const [name, help, valueOf] of observed) {
      const Kind = name.endsWith("_total") ? Counter : Gauge;
      const metric = new Kind({
        name,
        help,
        registers: [this.#registry],
        collect: async () => {
          const value = valueOf(await health());
          metric.reset();
          metric.inc(value);
        },
      });
    }
  }

  #measureStore(meter: StoreMeter): () => void {
    const registers = [this.#registry];
    const operations = new Histogram({
      name: "turnwire_store_operation_seconds",
      help: "How long the store took, by what it was asked for and whether it failed",
      labelNames: ["operation", "outcome"],
      buckets: STORE_BUCKETS,
      registers,
    });
    const remote = new Histogram({
      name: "turnwire_remote_command_seconds",
      help: "How long commands for sessions of other hosts took until they were answered",
      buckets: STORE_BUCKETS,
      registers,
    });
    const hints = new Counter({
      name: "turnwire_store_hints_total",
      help: "Hints of the store that something has happened, by type",
      labelNames: ["type"],
      registers,
    });
    return meter.observe({
      onOperation: (operation, ms, isFailed) =>
        operations.observe({ operation, outcome: isFailed ? "failed" : "ok" }, ms / 1000),
      onHint: (type) => hints.inc({ type }),
      onRemoteCommand: (ms) => remote.observe(ms / 1000),
    });
  }

  #observeLag(): void {
    this.#delay.enable();
    const lag = new Gauge({
      name: "turnwire_event_loop_lag_seconds",
      help: "How late the event loop was since the last scrape",
      labelNames: ["quantile"],
      registers: [this.#registry],
      collect: () => {
        lag.set({ quantile: "0.5" }, this.#delay.percentile(50) / NANOSECONDS);
        lag.set({ quantile: "0.99" }, this.#delay.percentile(99) / NANOSECONDS);
        lag.set({ quantile: "1" }, this.#delay.max / NANOSECONDS);
        this.#delay.reset();
      },
    });
  }
}
