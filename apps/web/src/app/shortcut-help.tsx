import { Dialog } from "../element/dialog.tsx";
import { keyName } from "../element/key-name.ts";
import style from "./shortcut-help.module.css";

const groups = [
  {
    title: "Anywhere",
    keys: [
      ["Ctrl K", `Find a session (Enter opens it, ${keyName("Ctrl Enter")} side by side)`],
      ["Ctrl B", "Show or hide the sidebar"],
      ["Alt N", "New session"],
      ["Alt ↑ ↓", "Previous or next session"],
      ["?", "This list"],
    ],
  },
  {
    title: "In a conversation",
    keys: [
      ["Enter", "Send"],
      ["Shift Enter", "New line"],
      ["Esc Esc", `Stop the turn (also ${keyName("Ctrl .")})`],
      ["Esc", "Close the second session, from its empty field"],
      ["↑", "Earlier messages, in an empty field"],
      ["/ and @", "Commands and files"],
    ],
  },
  {
    title: "When the agent needs an answer",
    keys: [
      ["Alt R", "Go to the request"],
      ["Y", "Allow"],
      ["A", "Allow always"],
      ["N", "Deny"],
      ["E", "Edit first"],
    ],
  },
] as const;

/** All keys of the app. */
export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div
        className={`dialog-body stack gap-4 small ${style.groups}`}
        tabIndex={0}
        role="region"
        aria-label="All shortcuts"
      >
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="tiny medium faint">{title}</h3>
            <dl className="stack gap-2">
              {keys.map(([key, meaning]) => (
                <div key={key} className="line gap-3">
                  <dt>
                    <kbd>{keyName(key)}</kbd>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
