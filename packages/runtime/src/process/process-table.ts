import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  /** Dead, and only waiting to be collected by its parent. */
  readonly isZombie: boolean;
  /** Differs between two processes that had one pid after the other. */
  readonly startTime: string;
}

/** What the system knows of its processes. */
export interface ProcessTable {
  list(): Promise<ProcessEntry[]>;
  find(pid: number): Promise<ProcessEntry | undefined>;
  /** Whether a process was started with this environment entry; false where that cannot be seen. */
  hasVariable(pid: number, entry: string): Promise<boolean>;
}

/** The table of this system: /proc where there is one, `ps` elsewhere. */
export function systemProcessTable(): ProcessTable {
  return existsSync("/proc/self/stat") ? procProcessTable : psProcessTable;
}

export const procProcessTable: ProcessTable = {
  async list() {
    const names = await readdir("/proc");
    const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
    const entries = await Promise.all(pids.map((pid) => procProcessTable.find(pid)));
    return entries.filter((entry) => entry !== undefined);
  },

  async find(pid) {
    const stat = await readIfThere(`/proc/${pid}/stat`);
    return stat === undefined ? undefined : entryFromStat(pid, stat, await bootId());
  },

  async hasVariable(pid, entry) {
    const environment = await readIfThere(`/proc/${pid}/environ`);
    return environment?.split("\0").includes(entry) ?? false;
  },
};

/** Fields as in proc(5): the name, in parentheses, may hold blanks and parentheses itself. */
export function entryFromStat(pid: number, stat: string, boot: string): ProcessEntry | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, , group] = fields;
  const ticks = fields[19];
  if (state === undefined || group === undefined || ticks === undefined) return undefined;
  const isZombie = state === "Z" || state === "X";
  // Ticks count from boot, so they identify processes only together with the boot.
  return { pid, group: Number(group), isZombie, startTime: `${boot}/${ticks}` };
}

async function bootId(): Promise<string> {
  return (await readIfThere("/proc/sys/kernel/random/boot_id"))?.trim() ?? "";
}

/** Processes vanish while one looks at them, and foreign ones may be closed to us. */
async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}

const execute = promisify(execFile);

export const psProcessTable: ProcessTable = {
  async list() {
    const { stdout } = await execute("ps", ["-A", "-o", "pid=,pgid=,stat=,lstart="], {
      env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.split("\n").flatMap((line) => {
      const [, pid, group, state, startTime] =
        /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
      if (!pid || !group || !state || !startTime) return [];
      return [
        { pid: Number(pid), group: Number(group), isZombie: state.startsWith("Z"), startTime },
      ];
    });
  },

  async find(pid) {
    return (await psProcessTable.list()).find((entry) => entry.pid === pid);
  },

  hasVariable: async () => false,
};
