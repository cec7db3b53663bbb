import { isObject } from "@turnwire/base";
import type { JsonValue } from "@turnwire/protocol";

/** How many to-dos of a shared list are not done; undefined when the state holds no such list. */
export function openTodos(state: JsonValue): number | undefined {
  if (!isObject(state) || !Array.isArray(state.todos)) return undefined;
  return state.todos.filter((todo) => isObject(todo) && todo.done !== true).length;
}
