import { join } from "node:path";

interface DataPlace {
  readonly dataDirectory: string;
  readonly home: string;
}

/** What a command needs so that it reaches the server of this data: nothing for the default directory. */
export function ownOptions({ dataDirectory, home }: DataPlace): string {
  return dataDirectory === join(home, ".turnwire") ? "" : `--data ${shellWord(dataDirectory)}`;
}

/** A command of ours as a person types it. */
export function ownCommand(name: string, place: DataPlace): string {
  return ["npx turnwire", name, ownOptions(place)].filter(Boolean).join(" ");
}

/** A text as one word of a line for a shell. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
