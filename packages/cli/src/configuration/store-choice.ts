import { join } from "node:path";
import { invalidValue } from "../option/option.ts";

/** Where a server stores its logs. */
export type StoreChoice =
  | { readonly type: "memory" }
  | { readonly type: "sqlite"; readonly path: string; readonly durability: "durable" | "fast" }
  | { readonly type: "postgres"; readonly url: string }
  /** A Postgres server that starts and stops with this one, to try it. */
  | { readonly type: "local-postgres"; readonly directory: string };

interface StoreValues {
  readonly store: string;
  readonly durability: "durable" | "fast";
}

/** What `--store` names. */
export function storeFrom({ store, durability }: StoreValues, dataDirectory: string): StoreChoice {
  switch (store) {
    case "memory":
      return { type: "memory" };
    case "sqlite":
      return { type: "sqlite", path: join(dataDirectory, "turnwire.db"), durability };
    case "postgres":
      return { type: "local-postgres", directory: join(dataDirectory, "postgres") };
    default:
      if (isPostgresUrl(store)) return { type: "postgres", url: store };
      throw invalidValue("--store", shownStore(store), expectedFor(store));
  }
}

export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text.replace("@/", "@localhost/"));
}

function expectedFor(store: string): string {
  return /^postgres(?:ql)?:/.test(store)
    ? "a URL like postgres://user@host:5432/database (with %40 for @, %2F for / and %25 for % in a password)"
    : "sqlite, memory, postgres or postgres://…";
}

/** A store without its password, for output, also where it is not a URL that we take. */
export function shownStore(store: string): string {
  const password = URL.canParse(store)
    ? /^([a-z][\w+.-]*:\/\/[^:@/?#]*):[^/?#]*@/i
    : /^([a-z][\w+.-]*:\/*[^:@/]*):.*@/i;
  return store.replace(password, "$1@").replace(/([?&]password=)[^&]*/gi, "$1…");
}

/** Whether a URL with a password was given as a flag, which everybody on the machine can see. */
export function isPasswordVisible(
  store: string,
  { variable, file }: { readonly variable: string | undefined; readonly file: unknown },
): boolean {
  const isFlag = store !== variable && store !== file;
  return isFlag && isPostgresUrl(store) && shownStore(store) !== store;
}

/** Where logs are stored, in a few words. */
export function storeText(choice: StoreChoice): string {
  switch (choice.type) {
    case "memory":
      return "in memory, lost when the server stops";
    case "sqlite":
      return `sqlite, ${choice.durability}`;
    case "postgres":
      return shownStore(choice.url);
    case "local-postgres":
      return "a Postgres server of its own, to try it; several hosts need a shared one: --store postgres://…";
  }
}
