import type { PolicyQuery } from "@turnwire/protocol";
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { ConversationPage } from "../feature/conversation/conversation-page.tsx";
import { NewSessionPage } from "../feature/new-session/new-session-page.tsx";
import { PastSessionPage } from "../feature/past-session/past-session-page.tsx";
import { QuickSwitcher } from "../feature/session-list/quick-switcher.tsx";
import { Sidebar } from "../feature/session-list/sidebar.tsx";
import { useAttention } from "../feature/attention/attention.ts";
import { ResizeHandle } from "../element/resize-handle.tsx";
import { ToastStack } from "../element/toast-stack.tsx";
import { FrameContext } from "../feature/page/frame-context.ts";
import style from "./frame.module.css";
import { DeleteDialog } from "../feature/session/delete-dialog.tsx";
import { LoginDialog } from "../feature/login/login-dialog.tsx";
import { PolicyDialog } from "../feature/policy/policy-dialog.tsx";
import { RelayDialog } from "../feature/relay/relay-dialog.tsx";
import { navigate, useRoute } from "../feature/navigation/navigation.ts";
import { PaneContext, type Pane } from "../feature/page/pane.ts";
import type { Route } from "../feature/navigation/route.ts";
import { ShortcutHelp } from "./shortcut-help.tsx";
import { useShortcuts } from "./shortcut.ts";
import { MAX_WIDTH, MIN_WIDTH, useSidebarShape } from "./sidebar-shape.ts";
import { UnknownPage } from "../feature/page/unknown-page.tsx";

type SessionRoute = Extract<Route, { type: "session" }>;

/** The window: the list of sessions, and the page of the address. On small screens the list is a sheet. */
export function Frame() {
  const route = useRoute();
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  const [sidebar, changeSidebar] = useSidebarShape();
  const [isSwitcherOpen, setSwitcherOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [areLoginsOpen, setLoginsOpen] = useState(false);
  const [areRelaysOpen, setRelaysOpen] = useState(false);
  const [shownPolicy, setShownPolicy] = useState<PolicyQuery>();
  const place = placeOf(route);
  useEffect(() => setSidebarOpen(false), [place]);
  useAttention();
  const hideButton = useRef<HTMLButtonElement>(null);
  const showButton = useRef<HTMLButtonElement>(null);
  const main = useRef<HTMLDivElement>(null);
  const hideSidebar = (): void => {
    setSidebarOpen(false);
    if (isSmallScreen()) return;
    changeSidebar({ isHidden: true });
    focusSoon(showButton);
  };
  const openSidebar = useCallback(() => {
    if (isSmallScreen()) setSidebarOpen(true);
    else {
      changeSidebar({ isHidden: false });
      focusSoon(hideButton);
    }
  }, [changeSidebar]);
  useShortcuts({
    onSwitcher: () => setSwitcherOpen((isOpen) => !isOpen),
    onHelp: () => setHelpOpen(true),
    onSidebar: () => {
      if (isSmallScreen()) setSidebarOpen((isOpen) => !isOpen);
      else changeSidebar({ isHidden: !sidebar.isHidden });
    },
  });
  const shownSession = route.type === "session" ? route.sessionId : undefined;
  const controls = useMemo(
    () => ({
      isSidebarHidden: sidebar.isHidden,
      openSidebar,
      sidebarButton: showButton,
      showShortcuts: () => setHelpOpen(true),
      showLogins: () => setLoginsOpen(true),
      showRelays: () => setRelaysOpen(true),
      showPolicy: (
        query: PolicyQuery = shownSession === undefined ? {} : { session: shownSession },
      ) => setShownPolicy(query),
    }),
    [openSidebar, sidebar.isHidden, shownSession],
  );
  const beside = useRef<HTMLElement>(null);
  const mainPane = useMemo(
    (): Pane => ({
      isBeside: false,
      contains: (node) => main.current?.contains(node) === true,
      isActive: () => !hasFocus(beside),
    }),
    [],
  );
  return (
    <FrameContext value={controls}>
      <div className={style.frame} data-sidebar={sidebar.isHidden ? "hidden" : "shown"}>
        <a className={style.skip} href="#main">
          Skip to the conversation
        </a>
        <div className={style.sidebar} style={{ width: sidebar.width }} data-open={isSidebarOpen}>
          <Sidebar
            route={route}
            onHide={hideSidebar}
            hideButton={hideButton}
            onSearch={() => setSwitcherOpen(true)}
          >
            <div className={style.resize}>
              <ResizeHandle
                label="Sidebar width"
                width={sidebar.width}
                min={MIN_WIDTH}
                max={MAX_WIDTH}
                edge="end"
                onChange={(width) => changeSidebar({ width })}
              />
            </div>
          </Sidebar>
        </div>
        <div
          className={style.scrim}
          data-open={isSidebarOpen}
          onClick={() => setSidebarOpen(false)}
          aria-hidden="true"
        />
        <main id="main" className={style.main} tabIndex={-1}>
          <PaneContext value={mainPane}>
            <div ref={main} className={style.pane} data-pane="main">
              <Page key={place} route={route} />
            </div>
          </PaneContext>
          {route.type === "session" && <BesidePane ref={beside} route={route} />}
          <ToastStack />
        </main>
        <DeleteDialog />
        {isSwitcherOpen && <QuickSwitcher onClose={() => setSwitcherOpen(false)} />}
        {areLoginsOpen && <LoginDialog onClose={() => setLoginsOpen(false)} />}
        {areRelaysOpen && <RelayDialog onClose={() => setRelaysOpen(false)} />}
        {shownPolicy && (
          <PolicyDialog query={shownPolicy} onClose={() => setShownPolicy(undefined)} />
        )}
        {isHelpOpen && <ShortcutHelp onClose={() => setHelpOpen(false)} />}
      </div>
    </FrameContext>
  );
}

/** True where the list of sessions is a sheet: the width is that of `frame.module.css`. */
function isSmallScreen(): boolean {
  return matchMedia("(max-width: 52rem)").matches;
}

/** The button that was pressed is gone: its counterpart takes the focus once it is there. */
function focusSoon(button: RefObject<HTMLButtonElement | null>): void {
  requestAnimationFrame(() => button.current?.focus());
}

/** Pages of different places have nothing in common. */
function placeOf(route: Route): string {
  if (route.type === "session") return route.sessionId;
  return route.type === "home" ? `home ${route.projectId ?? ""}` : route.type;
}

function hasFocus(element: RefObject<HTMLElement | null>): boolean {
  return element.current?.contains(document.activeElement) === true;
}

interface BesidePaneProps {
  readonly ref: RefObject<HTMLElement | null>;
  readonly route: SessionRoute;
}

/** A second session, on screens that are wide enough. */
function BesidePane({ ref, route }: BesidePaneProps) {
  const { sessionId, besideId } = route;
  const pane = useMemo(
    (): Pane => ({
      isBeside: true,
      onClose: () => navigate({ type: "session", sessionId }),
      contains: (node) => ref.current?.contains(node) === true,
      isActive: () => hasFocus(ref),
    }),
    [ref, sessionId],
  );
  if (besideId === undefined) return null;
  return (
    <PaneContext value={pane}>
      <section ref={ref} className={style.beside} data-pane="beside" aria-label="Second session">
        <ConversationPage key={besideId} sessionId={besideId} />
      </section>
    </PaneContext>
  );
}

function Page({ route }: { readonly route: Route }) {
  switch (route.type) {
    case "home":
      return <NewSessionPage projectId={route.projectId} />;
    case "session":
      return <ConversationPage sessionId={route.sessionId} />;
    case "past":
      return <PastSessionPage />;
    case "unknown":
      return <UnknownPage />;
  }
}
