import { expect, test } from "vitest";
import { SessionLife } from "./session-life.ts";

test("a session ends once, also when its end itself fails and would end it", async () => {
  const life = new SessionLife();
  life.begin();
  let ends = 0;
  const finish = async (): Promise<void> => {
    ends += 1;
    expect(life.end(finish)).toBe(undefined);
    expect(life.acceptsCommands).toBe(false);
  };
  await life.end(finish);
  expect(life.end(finish)).toBe(undefined);
  expect([ends, life.hasEnded, life.begin()]).toEqual([1, true, false]);
});
