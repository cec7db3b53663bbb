import { type Clock, startTimer } from "@turnwire/base";
import * as z from "zod";
import type { ListStore } from "./list-store.ts";
import type { Sharing } from "./sharing.ts";
import { jsonFrom } from "./whole-file.ts";

/** Hints may be lost: what was removed on another host must not stay in force for long. */
const POLL_MS = 5_000;

export interface SharedListOptions<Item> {
  readonly key: string;
  readonly item: z.ZodType<Item>;
  /** What a value that makes no sense means; the next change replaces it. */
  readonly damaged: string;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** A list that all hosts of a store have in common, in one value. One that makes no sense counts as empty and is reported. */
export function createSharedList<Item>(
  sharing: Sharing,
  { key, item, damaged, clock, onError }: SharedListOptions<Item>,
): ListStore<Item> {
  const { values } = sharing;
  const StoredList = z.array(item);
  /** The value that a list was read from or written as: what it must still be to be replaced. */
  const texts = new WeakMap<readonly Item[], string>();
  let reported: string | undefined;
  return {
    async load() {
      const text = await values.readValue(key);
      if (text === undefined) return [];
      const parsed = StoredList.safeParse(jsonFrom(text));
      const items = parsed.success ? parsed.data : [];
      texts.set(items, text);
      if (!parsed.success && text !== reported) {
        reported = text;
        onError(new Error(damaged, { cause: parsed.error }));
      }
      return items;
    },
    async save(items, before) {
      const text = JSON.stringify(items);
      const isWritten = await values.writeValue(key, text, { onlyIf: texts.get(before) ?? null });
      if (isWritten) texts.set(items, text);
      return isWritten;
    },
    subscribe(onChange) {
      const stopWatch = sharing.watch(key, onChange);
      let cancel = (): void => undefined;
      const plan = (): void => {
        cancel = startTimer(clock, POLL_MS, () => {
          plan();
          onChange();
        });
      };
      plan();
      return () => {
        stopWatch();
        cancel();
      };
    },
  };
}
