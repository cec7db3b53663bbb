import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, systemClock } from "@turnwire/base";
import { jsonFrom, readWhole, Serial, writeWhole } from "@turnwire/log/list";
import { AuditMark, checkAudit, lineOf } from "./audit-chain.ts";
import type { AuditAct, AuditLog, AuditText } from "./audit-log.ts";

/**
 * The audit log in `<directory>/audit.jsonl`, readable by the owner only. Lines are only ever added;
 * each has the hash of the one before, and `audit-mark.json` names the last.
 */
export function createAuditFile(directory: string, clock: Clock = systemClock): AuditLog {
  const path = join(directory, "audit.jsonl");
  const markPath = join(directory, "audit-mark.json");
  const serial = new Serial();
  let last: AuditMark | undefined;

  async function read(): Promise<AuditText> {
    const [lines, mark] = await Promise.all([
      readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return "";
        throw error;
      }),
      readWhole(markPath),
    ]);
    return { lines, mark };
  }

  /** Continues after the last line that is there; what is wrong before it stays wrong. */
  async function findLast(): Promise<AuditMark> {
    const text = await read();
    const entry = checkAudit(text).entries.at(-1);
    const mark = AuditMark.safeParse(jsonFrom(text.mark ?? ""));
    if (mark.success && mark.data.seq > (entry?.seq ?? 0)) return mark.data;
    return entry ? { seq: entry.seq, hash: entry.hash } : { seq: 0, hash: "" };
  }

  async function add({ action, outcome, principal, address, session_id, details }: AuditAct) {
    last ??= await findLast();
    const seq = last.seq + 1;
    const { line, hash } = lineOf({
      seq,
      at: new Date(clock.now()).toISOString(),
      action,
      outcome,
      ...(principal !== undefined && { principal }),
      ...(address !== undefined && { address }),
      ...(session_id !== undefined && { session_id }),
      details: details ?? {},
      previous: last.hash,
    });
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = await open(path, "a", 0o600);
    try {
      await file.write(`${line}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
    last = { seq, hash };
    await writeWhole(markPath, `${JSON.stringify(last)}\n`);
  }

  return { record: (act) => serial.run(() => add(act)), read: () => serial.run(read) };
}
