import { firstLine, type CreateSession } from "@turnwire/protocol";
import { useClient } from "@turnwire/react";
import { useContext, useRef, useState } from "react";
import { showError } from "../../element/toast.ts";
import { contentFrom } from "../composer/attachment.ts";
import { newSessionDraft, saveDraft } from "../composer/draft.ts";
import { useAttachments, type Attachments } from "../composer/use-attachments.ts";
import { useMessageText, type MessageText } from "../composer/use-message-text.ts";
import { navigate } from "../navigation/navigation.ts";
import { SessionMemoriesContext } from "../session/session-memory.ts";
import { startProblem, type StartProblem } from "./start-problem.ts";

const TITLE_LENGTH = 80;

/** What was written when a person sent it. */
export interface WrittenMessage {
  readonly text: string;
  readonly files: Attachments["list"];
}

interface FirstMessage {
  readonly field: React.RefObject<HTMLTextAreaElement | null>;
  readonly text: MessageText;
  readonly attachments: Attachments;
  /** There is nothing to send. */
  readonly isEmpty: boolean;
  readonly isStarting: boolean;
  readonly problem: StartProblem | undefined;
  readonly setProblem: (problem: StartProblem | undefined) => void;
  /** Takes what was written: what is typed from now on belongs to the next message. */
  readonly take: () => WrittenMessage;
  /** It was not sent: it stands before what was typed meanwhile. */
  readonly putBack: (written: WrittenMessage) => void;
  /** Creates the session, sends what was written and goes there; nothing that was written is lost. */
  readonly start: (session: Omit<CreateSession, "title">, written: WrittenMessage) => Promise<void>;
}

/** The first message of a session that does not exist yet. */
export function useFirstMessage(accepts: {
  readonly images: boolean;
  readonly documents: boolean;
}): FirstMessage {
  const client = useClient();
  const memories = useContext(SessionMemoriesContext);
  const field = useRef<HTMLTextAreaElement>(null);
  const text = useMessageText({ field, draftId: newSessionDraft, earlier: () => [] });
  const attachments = useAttachments(accepts);
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState<StartProblem>();
  const typedSince = (): string => field.current?.value ?? "";
  const take = (): WrittenMessage => {
    const written = { text: text.text, files: attachments.list };
    text.put("");
    attachments.replace([]);
    // Until the session exists, a reload brings the message back.
    saveDraft({ id: newSessionDraft, text: written.text });
    return written;
  };
  const putBack = (written: WrittenMessage): void => {
    text.put(joined(written.text, typedSince()));
    attachments.replace(written.files);
  };
  const start = async (
    session: Omit<CreateSession, "title">,
    written: WrittenMessage,
  ): Promise<void> => {
    const { text: sent, files } = written;
    setStarting(true);
    setProblem(undefined);
    try {
      const created = await client.sessions.create(createBody(session, sent));
      const id = created.session_id;
      const isSent = await send(id);
      const rest = isSent ? typedSince() : joined(sent, typedSince());
      saveDraft({ id, text: rest });
      if (!isSent) memories?.open(id).set("attachments", files);
      saveDraft({ id: newSessionDraft, text: "" });
      navigate({ type: "session", sessionId: id });
    } catch (error) {
      putBack(written);
      setProblem(startProblem(error));
    } finally {
      setStarting(false);
    }
    /** A message that is not taken waits in the field of its session. */
    async function send(id: string): Promise<boolean> {
      try {
        await client.sessions.message(id, { message: contentFrom(sent, files) });
        return true;
      } catch (error) {
        showError(error);
        return false;
      }
    }
  };
  const isEmpty = text.text.trim() === "" && attachments.list.length === 0;
  return {
    field,
    text,
    attachments,
    isEmpty,
    isStarting,
    problem,
    setProblem,
    take,
    putBack,
    start,
  };
}

function joined(first: string, second: string): string {
  if (first === "" || second === "") return first + second;
  return `${first}\n${second}`;
}

/** The first line of the message is the title, until the person gives another. */
function createBody(session: Omit<CreateSession, "title">, text: string): CreateSession {
  const [line = ""] = text.trim().split("\n", 1);
  const title = firstLine(line, TITLE_LENGTH);
  return title === "" ? session : { ...session, title };
}
