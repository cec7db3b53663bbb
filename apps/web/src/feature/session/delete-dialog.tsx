import { detach } from "@turnwire/base";
import type { Worktree, WorktreeChoice, WorktreeContents } from "@turnwire/protocol";
import { useClient } from "@turnwire/react";
import { useEffect, useState } from "react";
import { Button } from "../../element/button.tsx";
import { Dialog } from "../../element/dialog.tsx";
import { plainError } from "../../element/plain-error.ts";
import { useStore } from "../../element/use-store.ts";
import style from "./delete-dialog.module.css";
import { askedDeletion, deleteWithUndo, type AskedDeletion } from "./deletion.ts";
import { titleOf } from "./session-title.ts";
import { heldWords, isOnlyUnmerged, lossWords } from "./worktree-words.ts";

/** Asks what to do with a session's worktree before the session is deleted; once for the whole window. */
export function DeleteDialog() {
  const asked = useStore(askedDeletion);
  if (!asked?.session.worktree) return null;
  const { session } = asked;
  return (
    <WorktreeDialog key={session.session_id} asked={asked} worktree={asked.session.worktree} />
  );
}

interface WorktreeDialogProps {
  readonly asked: AskedDeletion;
  readonly worktree: Worktree;
}

function WorktreeDialog({ asked, worktree }: WorktreeDialogProps) {
  const { session, leave } = asked;
  const client = useClient();
  const [picked, setPicked] = useState<WorktreeChoice>();
  const { contents, problem } = useContents(session.session_id);
  const close = (): void => askedDeletion.set(undefined);
  const loss = contents ? lossWords(contents) : "";
  const held = contents && heldWords(contents);
  const choices = choicesFor(contents, loss);
  const choice =
    choices.find(({ value }) => value === picked)?.value ?? choices[0]?.value ?? "keep";
  return (
    <Dialog title={`Delete “${titleOf(session)}”?`} onClose={close}>
      <form
        className="dialog-body stack gap-4 small"
        onSubmit={(event) => {
          event.preventDefault();
          close();
          deleteWithUndo(client, session, { onUndo: leave(), worktree: choice });
        }}
      >
        <p className="breaks">
          It works in a worktree of its own, on the branch <code>{worktree.branch}</code>:
          <bdi className={`tiny mono soft ${style.path}`}>{worktree.path}</bdi>
        </p>
        <p role="status" className="breaks">
          {held ?? stateText(contents, problem, loss)}
        </p>
        <fieldset className={`stack gap-2 ${style.choices}`} hidden={held !== undefined}>
          <legend>What should happen to it?</legend>
          {choices.map(({ value, label, description, isRisky }) => (
            <label key={value} className={`frame line gap-3 ${style.choice}`} data-risky={isRisky}>
              <input
                type="radio"
                name="worktree"
                value={value}
                checked={choice === value}
                onChange={() => setPicked(value)}
              />
              <span>
                <strong>{label}</strong>
                <span className="breaks tiny soft">{description}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <footer className="flow gap-3 end">
          <Button onClick={close}>Cancel</Button>
          <Button look="danger" type="submit">
            {choice === "discard" ? "Delete and discard" : "Delete the session"}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function stateText(
  contents: WorktreeContents | undefined,
  problem: string | undefined,
  loss: string,
): string {
  if (problem !== undefined) return `What it holds cannot be found out: ${problem}`;
  if (!contents) return "Looking at the worktree…";
  if (!contents.is_present) return "Its folder is gone already.";
  return loss === "" ? "Everything in it is also elsewhere." : `Only there: ${loss}.`;
}

interface DeletionChoice {
  readonly value: WorktreeChoice;
  readonly label: string;
  readonly description: string;
  readonly isRisky?: boolean;
}

/** What can be done with the worktree, the safest first; what it holds decides what is possible. */
function choicesFor(contents: WorktreeContents | undefined, loss: string): DeletionChoice[] {
  const keep: DeletionChoice = {
    value: "keep",
    label: "Keep folder and branch",
    description: "Nothing of it is removed.",
  };
  const discard: DeletionChoice = {
    value: "discard",
    label: "Discard all of it",
    description: loss === "" ? "Also work that is only there." : `Lost for good: ${loss}.`,
    isRisky: true,
  };
  if (!contents) {
    const description = "Whatever would be lost stays where it is.";
    return [{ value: "remove", label: "Remove what is safe", description }, keep, discard];
  }
  if (loss === "") {
    const description = "Its folder and its branch go.";
    return [{ value: "remove", label: "Remove it", description }, keep];
  }
  if (!isOnlyUnmerged(contents)) return [keep, discard];
  const description = "The branch has all the commits.";
  const remove = { value: "remove", label: "Remove the folder, keep the branch" } as const;
  return [{ ...remove, description }, keep, discard];
}

function useContents(sessionId: string): {
  readonly contents: WorktreeContents | undefined;
  readonly problem: string | undefined;
} {
  const client = useClient();
  const [contents, setContents] = useState<WorktreeContents>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      const info = await client.worktrees.ofSession(sessionId, { signal: abort.signal });
      if (!abort.signal.aborted) setContents(info.contents);
    };
    detach(load(), (error) => {
      if (!abort.signal.aborted) setProblem(plainError(error));
    });
    return () => abort.abort();
  }, [client, sessionId]);
  return { contents, problem };
}
