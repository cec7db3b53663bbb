import { detach } from "@turnwire/base";
import { firstLine, type CreateSession, type RuntimeInfo } from "@turnwire/protocol";
import { useClient } from "@turnwire/react";
import { useState } from "react";
import { Header } from "../page/header.tsx";
import { navigate } from "../navigation/navigation.ts";
import { ComposerField } from "../composer/composer-field.tsx";
import { SendButton } from "../composer/send-button.tsx";
import { PastSessionOffer } from "../past-session/past-session-offer.tsx";
import { showError } from "../../element/toast.ts";
import { DirectoryField } from "./directory-field.tsx";
import style from "./new-session-page.module.css";
import { RuntimeFields } from "./runtime-fields.tsx";
import { loadSettings, saveSettings, type SessionSettings } from "./settings.ts";
import { StarterList } from "./starter-list.tsx";
import { useRuntimes } from "./use-runtimes.ts";

const TITLE_LENGTH = 80;

/** A new session in one step: what to do, where, and with which agent. */
export function NewSessionPage() {
  const client = useClient();
  const runtimes = useRuntimes();
  const [settings, setSettings] = useState(loadSettings);
  const [text, setText] = useState("");
  const [isStarting, setStarting] = useState(false);
  const runtime = chosenRuntime(runtimes, settings);
  const start = async (): Promise<void> => {
    setStarting(true);
    try {
      const created = await client.sessions.create(
        createBody({ ...settings, ...(runtime && { runtime: runtime.name }) }, text),
      );
      saveSettings(settings);
      if (text.trim() !== "") {
        await client.sessions.message(created.session_id, { message: text });
      }
      navigate({ type: "session", sessionId: created.session_id });
    } finally {
      setStarting(false);
    }
  };
  const submit = (): void => {
    if (!isStarting) detach(start(), showError);
  };
  return (
    <>
      <Header title="New session" />
      <div className={style.page}>
        <div className={style.column}>
          <h1 className={style.question}>What should the agent do?</h1>
          <form
            className={style.card}
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
          >
            <ComposerField
              label="First message"
              placeholder="Describe a task"
              value={text}
              onChange={setText}
              onSubmit={submit}
            />
            <div className={style.foot}>
              <RuntimeFields
                runtimes={runtimes}
                runtime={runtime}
                settings={settings}
                onChange={setSettings}
              />
              <SendButton
                icon="arrow_up"
                label="Start the session"
                disabled={isStarting || runtime?.is_available === false}
                onClick={submit}
              />
            </div>
            <DirectoryField
              value={settings.cwd ?? ""}
              onChange={(cwd) => setSettings(withDirectory(settings, cwd))}
            />
          </form>
          {runtime?.problem !== undefined && <p className={style.problem}>{runtime.problem}</p>}
          <StarterList commands={runtime?.capabilities.slash_commands ?? []} onChoose={setText} />
          <PastSessionOffer />
        </div>
      </div>
    </>
  );
}

function chosenRuntime(
  runtimes: readonly RuntimeInfo[],
  settings: SessionSettings,
): RuntimeInfo | undefined {
  return (
    runtimes.find(({ name }) => name === settings.runtime) ??
    runtimes.find((runtime) => runtime.is_default) ??
    runtimes[0]
  );
}

function withDirectory(settings: SessionSettings, cwd: string): SessionSettings {
  const { cwd: _before, ...rest } = settings;
  return cwd === "" ? rest : { ...rest, cwd };
}

/** The first line of the message is the title, until the person gives another. */
function createBody(settings: SessionSettings, text: string): CreateSession {
  const [line = ""] = text.trim().split("\n", 1);
  const title = firstLine(line, TITLE_LENGTH);
  return title === "" ? settings : { ...settings, title };
}
