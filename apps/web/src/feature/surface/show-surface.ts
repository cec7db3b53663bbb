import type { Surface } from "@turnwire/protocol";

/** Moves the focus to a surface outside the chat, and brings it back where it was put away. */
export function showSurface(surface: Exclude<Surface, "chat">): void {
  const pane = document.activeElement?.closest("[data-pane]") ?? document;
  const find = () =>
    pane.querySelector<HTMLElement>(
      `[data-surface=${surface === "overlay" ? "overlay" : "beside"}]:not([hidden])`,
    );
  if (!find()) pane.querySelector<HTMLElement>("[data-surface-recall]")?.click();
  requestAnimationFrame(() => find()?.focus());
}
