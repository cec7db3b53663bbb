import { detach } from "@turnwire/base";
import type { JsonValue } from "@turnwire/protocol";
import { useSharedState } from "@turnwire/react";
import { showError } from "../../element/toast.ts";
import { ComponentFrame } from "./component/component-frame.tsx";
import { listFrom, objectFrom, optionalTextFrom, textFrom } from "./component/property.ts";
import style from "./shared-document.module.css";

interface TodoList {
  readonly title: string | undefined;
  readonly todos: readonly { readonly text: string; readonly isDone: boolean }[];
}

/** A list of to-dos as the demo agent keeps it; throws for every other document. */
function todoListFrom(value: unknown): TodoList {
  const source = objectFrom(value, "state");
  if (!Array.isArray(source["todos"])) throw new Error("todos must be a list");
  return {
    title: optionalTextFrom(source, "title"),
    todos: listFrom(source, "todos", (item) => {
      const todo = objectFrom(item, "todo");
      return { text: textFrom(todo, "text"), isDone: todo["done"] === true };
    }),
  };
}

/** The document that agent and page both write: to-dos to tick, anything else as it is. */
export function SharedDocument() {
  const [document] = useSharedState();
  const [list, patch] = useSharedState(todoListFrom);
  if (document === null) return null;
  if (!list) return <RawDocument document={document} />;
  const open = list.todos.filter(({ isDone }) => !isDone).length;
  const tick = (index: number, isDone: boolean): void => {
    const path = `/todos/${index}/done`;
    detach(patch([{ op: "replace", path, value: isDone }]), showError);
  };
  return (
    <ComponentFrame title={list.title ?? "To do"} note={`${open} open`}>
      <ul className={`stack gap-1 ${style.todos}`}>
        {list.todos.map(({ text, isDone }, index) => (
          <li key={index}>
            <label data-done={isDone}>
              <input
                type="checkbox"
                checked={isDone}
                onChange={(event) => tick(index, event.currentTarget.checked)}
              />
              {text}
            </label>
          </li>
        ))}
      </ul>
    </ComponentFrame>
  );
}

function RawDocument({ document }: { readonly document: JsonValue }) {
  return (
    <ComponentFrame title="Shared state">
      <pre className={style.raw} tabIndex={0}>
        {JSON.stringify(document, null, 2)}
      </pre>
    </ComponentFrame>
  );
}
