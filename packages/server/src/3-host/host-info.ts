import type { HostInfo } from "@turnwire/protocol";
import type { HostRecord, HostRegistry } from "@turnwire/log";
import { readServerVersion } from "@turnwire/runtime";
import type { HostMetrics } from "../2-session/record/session-log.ts";

export interface HostListOptions {
  readonly registry: HostRegistry;
  /** The host that answers. */
  readonly hostId: string;
  /** What it knows of itself better than the store, which hears of it now and then. */
  readonly own: () => Pick<HostMetrics, "liveRuns">;
}

/** Every host that shares the store: this one first, then those that live, by name. */
export async function listHosts({ registry, hostId, own }: HostListOptions): Promise<HostInfo[]> {
  const [records, version] = await Promise.all([registry.listHosts(), readServerVersion()]);
  return records
    .map((record): HostInfo => {
      if (record.hostId !== hostId) return infoFrom(record);
      const { liveRuns } = own();
      return { ...infoFrom({ ...record, version, liveRuns }), is_current: true };
    })
    .toSorted(byImportance);
}

function infoFrom(record: HostRecord): HostInfo {
  return {
    host_id: record.hostId,
    name: record.name,
    storage: record.storage,
    version: record.version,
    ...(record.url !== undefined && { url: record.url }),
    started_at: record.startedAt,
    seen_at: record.seenAt,
    is_alive: record.isAlive,
    is_draining: record.isDraining,
    is_current: false,
    sessions: record.sessions,
    // A lost host has ended its agents, or they ended with it.
    live_runs: record.isAlive ? record.liveRuns : 0,
  };
}

function byImportance(one: HostInfo, other: HostInfo): number {
  return (
    Number(other.is_current) - Number(one.is_current) ||
    Number(other.is_alive) - Number(one.is_alive) ||
    one.name.localeCompare(other.name) ||
    one.host_id.localeCompare(other.host_id)
  );
}
