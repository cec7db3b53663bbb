import type { TurnwireClient } from "@turnwire/client";
import { mount, unmount, type ComponentProps } from "svelte";
import { onTestFinished } from "vitest";
import type { LiveSession } from "../live-session.svelte.ts";
import Page from "./Page.svelte";

type PageProps = ComponentProps<typeof Page>;

export interface OpenPage {
  readonly session: LiveSession;
  readonly element: HTMLElement;
  /** Makes the page show another session. */
  readonly show: (sessionId: string) => void;
  readonly close: () => Promise<void>;
}

/** A page in the document that shows a session. */
export function openPage(
  client: TurnwireClient,
  sessionId: string,
  rest: Partial<PageProps> = {},
): OpenPage {
  let opened: LiveSession | undefined;
  let shown = $state(sessionId);
  const props: PageProps = {
    ...rest,
    client,
    get sessionId() {
      return shown;
    },
    onsession: (session) => (opened = session),
  };
  const element = document.body.appendChild(document.createElement("main"));
  const page = mount(Page, { target: element, props });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await unmount(page);
    isOpen = false;
    element.remove();
  };
  onTestFinished(close);
  if (!opened) throw new Error("the page did not say which session it shows");
  const show = (another: string): void => {
    shown = another;
  };
  return { session: opened, element, show, close };
}
