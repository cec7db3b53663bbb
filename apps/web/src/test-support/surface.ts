import type { Page } from "playwright-core";

export type Place = "Canvas" | "Sidebar" | "Panel";

export function place(page: Page, name: Place) {
  return page.getByRole("complementary", { name: `${name} of the agent` });
}
