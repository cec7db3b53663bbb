import { noCapabilities, type Project, type RuntimeInfo } from "@turnwire/protocol";
import { useId, type ReactNode } from "react";
import { CodeWords } from "../../element/code-words.tsx";
import { AttachButton } from "../composer/attach-button.tsx";
import { AttachmentList } from "../composer/attachment-list.tsx";
import { CompletionList, completionProps } from "../composer/completion-list.tsx";
import { ComposerField } from "../composer/composer-field.tsx";
import { pastedFiles } from "../composer/pasted-file.ts";
import { SendButton } from "../composer/send-button.tsx";
import { useCompletion } from "../composer/use-completion.ts";
import { useFileDrop } from "../composer/use-file-drop.ts";
import { PolicyModeChoice } from "../policy/policy-mode-choice.tsx";
import { SettingChoices, type StartAgentSettings } from "../setting/setting-choices.tsx";
import style from "./first-message-form.module.css";
import type { useFirstMessage } from "./use-first-message.ts";

interface FirstMessageFormProps {
  readonly message: ReturnType<typeof useFirstMessage>;
  readonly runtime: RuntimeInfo | undefined;
  readonly project: Project | undefined;
  readonly settings: StartAgentSettings;
  readonly onSetting: (change: StartAgentSettings) => void;
  readonly onSubmit: () => void;
  /** Where the agent works and within which bounds, below the message. */
  readonly children: ReactNode;
}

const canSet = { model: true, effort: true, permission_mode: true };

/** The first message with everything that a message can have, and how the agent begins. */
export function FirstMessageForm(props: FirstMessageFormProps) {
  const { message, runtime, project, settings, onSetting, onSubmit, children } = props;
  const { text, attachments, field, isEmpty, isStarting, problem } = message;
  const listId = useId();
  const capabilities = runtime?.capabilities ?? noCapabilities;
  const completion = useCompletion({
    ...text,
    onComplete: text.put,
    commands: capabilities.slash_commands,
    files: project && { cwd: project.path },
  });
  const isOver = useFileDrop(attachments.add);
  const messageProblem = problem?.place === "message" ? problem.text : undefined;
  return (
    <form
      className={`writing ${style.card}`}
      data-over={isOver}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <CompletionList id={listId} completion={completion} />
      <AttachmentList attachments={attachments.list} onRemove={attachments.remove} />
      <ComposerField
        ref={field}
        label="First message"
        placeholder="Describe a task (/ commands, @ files)"
        value={text.text}
        listProps={completionProps(listId, completion)}
        onChange={text.write}
        onCaret={text.moveCaret}
        onSubmit={onSubmit}
        onKey={completion.onKey}
        onPaste={(event) => {
          const files = pastedFiles(event.clipboardData);
          if (files.length === 0) return;
          event.preventDefault();
          attachments.add(files);
        }}
      />
      <div role="alert">
        {messageProblem !== undefined && (
          <p className={`small bad ${style.problem}`}>
            <CodeWords text={messageProblem} />
          </p>
        )}
      </div>
      <div className={style.foot}>
        <div className="row gap-1 wrap grow shrink">
          {attachments.isPossible && (
            <AttachButton accept={attachments.accept} onFiles={attachments.add} />
          )}
          <SettingChoices
            capabilities={capabilities}
            settings={settings}
            canSet={canSet}
            onChange={(name, value) => onSetting({ [name]: value })}
          />
          <PolicyModeChoice
            query={{ path: project?.path }}
            value={settings.policy_mode}
            onChange={(policy_mode) => onSetting({ policy_mode })}
          />
        </div>
        <SendButton
          icon="arrow_up"
          label={isStarting ? "Starting…" : "Start the session"}
          disabled={isStarting || isEmpty}
          onClick={onSubmit}
        />
      </div>
      {children}
    </form>
  );
}
