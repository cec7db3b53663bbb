import type { EventData } from "@turnwire/protocol";

type Callback = Pick<NonNullable<EventData<"user_message">["callback"]>, "name" | "action">;

/** What a person did in a component, in a few words: “Plan editor: save”. */
export function callbackWords({ name, action }: Callback): string {
  return `${sentenceCase(name)}: ${action.replaceAll("_", " ")}`;
}

function sentenceCase(name: string): string {
  const words = name.replaceAll("_", " ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
