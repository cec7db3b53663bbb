import { SessionProvider, useConnection } from "@turnwire/react";
import { Composer } from "../composer/composer.tsx";
import { MessageFieldContext, useNewMessageField } from "../composer/message-field.ts";
import { useKeepFocus } from "../page/keep-focus.ts";
import { UnknownPage } from "../page/unknown-page.tsx";
import { RequestBar } from "../request/request-bar.tsx";
import { RequestPlacesContext, useNewRequestPlaces } from "../request/use-request-places.ts";
import { SessionMemoryContext, useSessionMemory } from "../session/session-memory.ts";
import { StatusLine } from "../status/status-line.tsx";
import { SurfacePlaces } from "../surface/surface-places.tsx";
import { ShowSurfaceContext, useSurfaces } from "../surface/surfaces.ts";
import { useWidth } from "../surface/use-width.ts";
import { SessionTrust } from "../trust/trust-banner.tsx";
import { ConversationHeader } from "./conversation-header.tsx";
import style from "./conversation-page.module.css";
import { MessageList } from "./message-list.tsx";

/** One session: its messages, its status, and the field to write in. */
export function ConversationPage({ sessionId }: { readonly sessionId: string }) {
  const memory = useSessionMemory(sessionId);
  return (
    <SessionProvider sessionId={sessionId}>
      <SessionMemoryContext value={memory}>
        <Conversation />
      </SessionMemoryContext>
    </SessionProvider>
  );
}

function Conversation() {
  const connection = useConnection();
  const field = useNewMessageField();
  const places = useNewRequestPlaces(field);
  const [width, measured] = useWidth();
  const surfaces = useSurfaces(width);
  useKeepFocus(field.focus);
  const isUnknown = connection.status === "failed" && connection.error?.status === 404;
  if (isUnknown) return <UnknownPage />;
  return (
    <MessageFieldContext value={field}>
      <RequestPlacesContext value={places}>
        <ShowSurfaceContext value={surfaces.show}>
          <ConversationHeader />
          <div ref={measured} className={style.body}>
            <div className={style.list}>
              <MessageList />
            </div>
            <div className={style.foot}>
              <StatusLine />
              <SessionTrust />
              <Composer>
                <RequestBar />
              </Composer>
            </div>
            <SurfacePlaces surfaces={surfaces} />
          </div>
        </ShowSurfaceContext>
      </RequestPlacesContext>
    </MessageFieldContext>
  );
}
