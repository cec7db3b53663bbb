import { demo } from "@turnwire/runtime/demo";
import type { Runtime } from "@turnwire/runtime";
import type { Page } from "playwright-core";

export function firstMessage(page: Page) {
  return page.getByRole("textbox", { name: "First message" });
}

export function projectButton(page: Page) {
  return page.getByRole("button", { name: /^Project / });
}

/** The demo under another name, as if it were an agent that is connected or not. */
export function agent(name: string, connection: () => "connected" | "not_connected"): Runtime {
  const scripted = demo({ delayMs: 0 });
  const steps = [{ text: "Log in with its own program:", command: `${name} login` }];
  return {
    ...scripted,
    name,
    label: name,
    check: async () =>
      connection() === "connected"
        ? { isAvailable: true, connection: { status: "connected", account: "logged in" } }
        : {
            isAvailable: false,
            problem: `${name} has no login.`,
            connection: { status: "not_connected", steps },
          },
  };
}

/** Something that waits until the test lets it go. */
export function createHold(): { readonly held: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release };
}
