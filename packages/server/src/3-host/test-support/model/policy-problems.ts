import { defaultPolicy, isLooser } from "@turnwire/policy";
import type { StoredLog } from "./stored-log.ts";
import { guest } from "./world.ts";

const policy = defaultPolicy();

/** Where a mode was loosened by someone who may not, or a decision was made in a mode that the session never had. */
export function policyProblems({ record, events }: StoredLog): string[] {
  const problems: string[] = [];
  const [first] = events;
  // What a copy took over was decided in its source.
  if (record.trimmed > 0 || first?.type !== "session_ready" || first.data.forked_from) return [];
  let mode = first.data.policy_mode;
  const had = new Set([mode]);
  for (const { seq, type, data } of events) {
    if (type === "session_updated" && data.policy_mode !== undefined) {
      const next = data.policy_mode ?? undefined;
      if (data.by === guest.id && isLooser(policy, { from: mode, to: next })) {
        problems.push(`${seq}: ${guest.id} loosened ${mode} to ${next}`);
      }
      mode = next;
      had.add(mode);
    }
    if (type === "policy_decision" && !had.has(data.mode)) {
      problems.push(`${seq}: decided in ${data.mode}, which the session never had`);
    }
  }
  if (record.policyMode !== mode) {
    problems.push(`the record has the mode ${record.policyMode}, the log ${mode}`);
  }
  return problems;
}
