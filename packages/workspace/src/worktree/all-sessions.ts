import type { SessionRecord, Store } from "@turnwire/log";

const pageSize = 1000;

/** All sessions of the store, also those whose first events are still being copied. */
export async function allSessions(store: Store): Promise<readonly SessionRecord[]> {
  const records: SessionRecord[] = [];
  for (const filter of [{}, { isPartial: true }] as const) {
    let page: SessionRecord[];
    let after: SessionRecord | undefined;
    do {
      page = await store.listSessions({ ...filter, limit: pageSize, ...(after && { after }) });
      records.push(...page);
      after = page.at(-1);
    } while (page.length === pageSize);
  }
  return records;
}
