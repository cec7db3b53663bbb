import { describe, expect, test } from "vitest";
import { type FilteredLine, ReplayFilter } from "./replay-filter.ts";

function line(uuid: string | undefined): FilteredLine {
  return { line: `{"uuid":"${uuid}"}`, message: { uuid }, uuid };
}

/** The ids that get through, in order; a CLI repeats first and then continues. */
function passed(filter: ReplayFilter, repeated: string[], fresh: string[]): (string | undefined)[] {
  const lines = [
    ...repeated.flatMap((uuid) => filter.take(line(uuid), true)),
    ...filter.endReplay(),
    ...fresh.flatMap((uuid) => filter.take(line(uuid), false)),
  ];
  return lines.map(({ uuid }) => uuid);
}

describe("what a CLI repeats", () => {
  test("is let through once", () => {
    const filter = new ReplayFilter();
    expect(passed(filter, [], ["a", "b"])).toEqual(["a", "b"]);
    expect(passed(filter, ["a", "b", "c"], ["d"])).toEqual(["c", "d"]);
    expect(passed(filter, ["a", "b", "c", "d"], [])).toEqual([]);
  });

  test("is known where it comes before something known, although its id is forgotten", () => {
    expect(passed(new ReplayFilter(["c"]), ["a", "b", "c", "d"], ["e"])).toEqual(["d", "e"]);
  });

  test("is new where nothing of it is known", () => {
    expect(passed(new ReplayFilter(["z"]), ["a", "b"], ["c"])).toEqual(["a", "b", "c"]);
    expect(passed(new ReplayFilter(), ["a", "b"], [])).toEqual(["a", "b"]);
  });

  test("does not hold back what has no id", () => {
    const filter = new ReplayFilter(["z"]);
    expect(filter.take(line(undefined), true)).toHaveLength(1);
  });
});
