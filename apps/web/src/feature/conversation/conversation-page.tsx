import { SessionProvider, useConnection } from "@turnwire/react";
import { UnknownPage } from "../page/unknown-page.tsx";
import { Composer } from "../composer/composer.tsx";
import { StatusLine } from "../status/status-line.tsx";
import { SurfacePanel, useHasPanel } from "../surface/surface-panel.tsx";
import { ConversationHeader } from "./conversation-header.tsx";
import style from "./conversation-page.module.css";
import { MessageList } from "./message-list.tsx";

/** One session: what was said, what the agent does, and where to write. */
export function ConversationPage({ sessionId }: { readonly sessionId: string }) {
  return (
    <SessionProvider sessionId={sessionId}>
      <Conversation />
    </SessionProvider>
  );
}

function Conversation() {
  const connection = useConnection();
  const hasPanel = useHasPanel();
  const isUnknown = connection.status === "failed" && connection.error?.status === 404;
  if (isUnknown) return <UnknownPage />;
  return (
    <>
      <ConversationHeader />
      <div className={style.body}>
        <div className={style.column}>
          <MessageList />
          <div className={style.foot}>
            <StatusLine />
            <Composer />
          </div>
        </div>
        {hasPanel && <SurfacePanel />}
      </div>
    </>
  );
}
