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

interface FirstMessage {
  readonly field: React.RefObject<HTMLTextAreaElement | null>;
  readonly text: MessageText;
  readonly attachments: Attachments;
  /** There is nothing to send. */
  readonly isEmpty: boolean;
  readonly isStarting: boolean;
  readonly problem: StartProblem | undefined;
  readonly setProblem: (problem: StartProblem | undefined) => void;
  /** Creates the session, sends what was written and goes there; nothing that was written is lost. */
  readonly start: (session: Omit<CreateSession, "title">) => Promise<void>;
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
  const written = (): string => field.current?.value ?? "";
  const start = async (session: Omit<CreateSession, "title">): Promise<void> => {
    const [sent, files] = [text.text, attachments.list];
    setStarting(true);
    setProblem(undefined);
    // What is typed from now on belongs to the next message.
    text.put("");
    attachments.replace([]);
    // Until the session exists, a reload brings the message back.
    saveDraft({ id: newSessionDraft, text: sent });
    try {
      const created = await client.sessions.create(createBody(session, sent));
      const id = created.session_id;
      const isSent = await send(id);
      const rest = isSent ? written() : joined(sent, written());
      saveDraft({ id, text: rest });
      if (!isSent) memories?.open(id).set("attachments", files);
      saveDraft({ id: newSessionDraft, text: "" });
      navigate({ type: "session", sessionId: id });
    } catch (error) {
      text.put(joined(sent, written()));
      attachments.replace(files);
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
  return { field, text, attachments, isEmpty, isStarting, problem, setProblem, start };
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
