import { useEffect, useState } from "react";
import { ConversationPage } from "../conversation/conversation-page.tsx";
import { NewSessionPage } from "../new-session/new-session-page.tsx";
import { PastSessionPage } from "../past-session/past-session-page.tsx";
import { QuickSwitcher } from "../session-list/quick-switcher.tsx";
import { Sidebar } from "../session-list/sidebar.tsx";
import { FrameContext } from "./frame-context.ts";
import style from "./frame.module.css";
import { useRoute } from "./navigation.ts";
import type { Route } from "./route.ts";
import { useShortcuts } from "./shortcut.ts";
import { UnknownPage } from "./unknown-page.tsx";

/** The window: sessions beside what the address names. On small screens the sessions are a sheet. */
export function Frame() {
  const route = useRoute();
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  const [isSwitcherOpen, setSwitcherOpen] = useState(false);
  const place = route.type === "session" ? route.sessionId : route.type;
  useEffect(() => setSidebarOpen(false), [place]);
  useShortcuts({ onSwitcher: () => setSwitcherOpen((isOpen) => !isOpen) });
  return (
    <FrameContext value={{ openSidebar: () => setSidebarOpen(true) }}>
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
          <Page key={place} route={route} />
        </main>
        {isSwitcherOpen && <QuickSwitcher onClose={() => setSwitcherOpen(false)} />}
      </div>
    </FrameContext>
  );
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
