import { expect, test } from "vitest";
import { createRegistry } from "./component-registry.ts";
import { createLiveRegistry } from "./live-registry.ts";

const entry = (component: string) => ({ component, surfaces: ["chat" as const] });
const shownBy = (registry: ReturnType<typeof createRegistry<string>>, name: string) => {
  const prepared = registry.find(name)?.prepare({});
  return prepared?.isValid ? prepared.value.component : undefined;
};

test("components join and leave, and those who read it are notified", () => {
  const live = createLiveRegistry(createRegistry({ table: entry("the page's table") }));
  const before = live.getRegistry();
  let changes = 0;
  const stop = live.subscribe(() => (changes += 1));
  const leave = live.add(createRegistry({ weather: entry("the weather") }));
  expect(live.getRegistry().names()).toEqual(["weather", "table"]);
  expect(live.getRegistry()).toBe(live.getRegistry());
  leave();
  stop();
  live.add(createRegistry({}));
  expect(changes).toBe(2);
  expect(shownBy(before, "weather")).toBeUndefined();
});

test("the newest of a name is shown, and the one before it when that has left", () => {
  const live = createLiveRegistry(createRegistry({ table: entry("the page's table") }));
  const leaveFirst = live.add(createRegistry({ table: entry("first") }));
  const leaveSecond = live.add(createRegistry({ table: entry("second") }));
  expect(shownBy(live.getRegistry(), "table")).toBe("second");
  expect(live.getRegistry().names("chat")).toEqual(["table"]);
  leaveSecond();
  expect(shownBy(live.getRegistry(), "table")).toBe("first");
  leaveFirst();
  leaveFirst();
  expect(shownBy(live.getRegistry(), "table")).toBe("the page's table");
});
