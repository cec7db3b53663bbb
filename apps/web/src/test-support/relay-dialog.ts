import type { Page } from "playwright-core";

export const init = {
  type: "system",
  subtype: "init",
  session_id: "692f1c2a-1111-4222-8333-944445555666",
  model: "claude-sonnet-4-6",
  cwd: "/srv/shop",
};

export function relayButton(page: Page) {
  return page.getByRole("button", { name: /^\d relays?$/ });
}

export function relayDialog(page: Page) {
  return page.getByRole("dialog", { name: "Relays on this machine" });
}
