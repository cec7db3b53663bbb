import { useEffect, useMemo, useState, type KeyboardEvent } from "react";
import { ConversationPage } from "../feature/conversation/conversation-page.tsx";
import { NewSessionPage } from "../feature/new-session/new-session-page.tsx";
import { PastSessionPage } from "../feature/past-session/past-session-page.tsx";
import { QuickSwitcher } from "../feature/session-list/quick-switcher.tsx";
import { Sidebar } from "../feature/session-list/sidebar.tsx";
import { useAttention } from "../feature/attention/attention.ts";
import { FrameContext } from "../feature/page/frame-context.ts";
import style from "./frame.module.css";
import { LoginDialog } from "../feature/login/login-dialog.tsx";
import { navigate, useRoute } from "../feature/navigation/navigation.ts";
import { PaneContext } from "../feature/page/pane-context.ts";
import type { Route } from "../feature/navigation/route.ts";
import { ShortcutHelp } from "./shortcut-help.tsx";
import { useShortcuts } from "./shortcut.ts";
import { UnknownPage } from "../feature/page/unknown-page.tsx";

type SessionRoute = Extract<Route, { type: "session" }>;

/** The window: sessions beside what the address names. On small screens the sessions are a sheet. */
export function Frame() {
  const route = useRoute();
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  const [isSwitcherOpen, setSwitcherOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [areLoginsOpen, setLoginsOpen] = useState(false);
  const place = route.type === "session" ? route.sessionId : route.type;
  useEffect(() => setSidebarOpen(false), [place]);
  useAttention();
  useShortcuts({
    onSwitcher: () => setSwitcherOpen((isOpen) => !isOpen),
    onHelp: () => setHelpOpen(true),
  });
  const controls = useMemo(
    () => ({
      openSidebar: () => setSidebarOpen(true),
      showShortcuts: () => setHelpOpen(true),
      showLogins: () => setLoginsOpen(true),
    }),
    [],
  );
  return (
    <FrameContext value={controls}>
      <div className={style.frame}>
        <a className={style.skip} href="#main">
          Skip to the conversation
        </a>
        <div className={style.sidebar} data-open={isSidebarOpen}>
          <Sidebar
            route={route}
            onClose={() => setSidebarOpen(false)}
            onSearch={() => setSwitcherOpen(true)}
          />
        </div>
        <div
          className={style.scrim}
          data-open={isSidebarOpen}
          onClick={() => setSidebarOpen(false)}
          aria-hidden="true"
        />
        <main id="main" className={style.main} tabIndex={-1}>
          <div className={style.pane} data-pane="main">
            <Page key={place} route={route} />
          </div>
          {route.type === "session" && <BesidePane route={route} />}
        </main>
        {isSwitcherOpen && <QuickSwitcher onClose={() => setSwitcherOpen(false)} />}
        {areLoginsOpen && <LoginDialog onClose={() => setLoginsOpen(false)} />}
        {isHelpOpen && <ShortcutHelp onClose={() => setHelpOpen(false)} />}
      </div>
    </FrameContext>
  );
}

/** A second session, on screens that have the room. */
function BesidePane({ route }: { readonly route: SessionRoute }) {
  const { sessionId, besideId } = route;
  const pane = useMemo(
    () => ({ isBeside: true, onClose: () => navigate({ type: "session", sessionId }) }),
    [sessionId],
  );
  if (besideId === undefined) return null;
  return (
    <PaneContext value={pane}>
      <section
        className={style.beside}
        data-pane="beside"
        aria-label="Beside"
        onKeyDown={(event) => {
          if (event.key === "Escape" && isIdle(event)) pane.onClose();
        }}
      >
        <ConversationPage key={besideId} sessionId={besideId} />
      </section>
    </PaneContext>
  );
}

/** True where a key has nothing else to do: on the conversation, or in its field while that is empty. */
function isIdle({ target, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || !(target instanceof HTMLElement)) return false;
  const isEmptyField = target instanceof HTMLTextAreaElement && target.value === "";
  return target.matches("[role=log]") || (isEmptyField && "messageField" in target.dataset);
}

function Page({ route }: { readonly route: Route }) {
  switch (route.type) {
    case "home":
      return <NewSessionPage />;
    case "session":
      return <ConversationPage sessionId={route.sessionId} />;
    case "past":
      return <PastSessionPage />;
    case "unknown":
      return <UnknownPage />;
  }
}
