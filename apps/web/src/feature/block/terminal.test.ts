// @vitest-environment happy-dom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { Terminal } from "./terminal.tsx";

test("the button above a long output says how many lines it adds, whatever the output is a part of", () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const page = document.createElement("div");
  const root = createRoot(page);
  onTestFinished(() => {
    act(() => root.unmount());
    vi.unstubAllGlobals();
  });
  const output = Array.from({ length: 125 }, (_, index) => `line ${index + 1}`).join("\n");
  act(() => root.render(createElement(Terminal, { output, label: "Output" })));
  const shown = () => page.querySelector("pre")?.textContent.trim().split("\n");
  const button = page.querySelector<HTMLButtonElement>("button[aria-expanded]");
  expect(shown()?.[0]).toBe("line 66");
  expect(button?.textContent).toBe("Show 65 more lines");
  act(() => button?.click());
  expect(shown()).toHaveLength(125);
  expect(page.querySelector("button[aria-expanded]")).toBeNull();
});
