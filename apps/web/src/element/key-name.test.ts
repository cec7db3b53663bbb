import { expect, test } from "vitest";
import { ariaKeys, keyName } from "./key-name.ts";

test("shortcuts have Apple's names on a Mac, and only there", () => {
  expect(keyName("Ctrl K", true)).toBe("⌘ K");
  expect(keyName("Alt ↑ ↓", true)).toBe("⌥ ↑ ↓");
  expect(keyName("Shift Enter", true)).toBe("⇧ Enter");
  expect(keyName("Esc Esc", true)).toBe("Esc Esc");
  expect(keyName("Ctrl K", false)).toBe("Ctrl K");
  expect(ariaKeys("Control+.", true)).toBe("Meta+.");
  expect(ariaKeys("Control+.", false)).toBe("Control+.");
});
