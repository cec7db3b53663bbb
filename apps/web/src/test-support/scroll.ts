import type { Locator } from "playwright-core";
import { says, turn } from "./recorded-session.ts";

/** How far the list is from its end, in pixels. */
export function restOf(log: Locator): Promise<number> {
  return log.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
}

export function topOf(locator: Locator): Promise<number> {
  return locator.evaluate((element) => element.getBoundingClientRect().top);
}

export const blocks = 10_000;
export const drafts = Array.from({ length: blocks / 20 }, (_, index) =>
  turn(
    `t${index}`,
    Array.from({ length: 20 }, (_empty, place) =>
      says(`Block ${index * 20 + place} with some words in it.\n\n`, `m${index}-${place}`),
    ),
  ),
).flat();
