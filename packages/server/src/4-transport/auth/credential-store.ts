import { join } from "node:path";
import { limits, TokenScope } from "@turnwire/protocol";
import * as z from "zod";
import { jsonFrom, readWhole, writeWhole } from "@turnwire/log/list";
import { TransportError } from "../http/transport-error.ts";

const StoredCredential = z.object({
  id: z.string(),
  /** Which server's token it was made under: a new token ends all credentials. */
  server_id: z.string(),
  created_at: z.number(),
  last_seen_at: z.number(),
});

/** A log-in as it is stored; of its secrets only digests. Times in milliseconds since the epoch. */
export const LoginRecord = StoredCredential.extend({
  name: z.string(),
  cookie_digest: z.string(),
  key_digest: z.string(),
});
export type LoginRecord = z.infer<typeof LoginRecord>;

/** A scoped token as it is stored; of its secret only a digest. */
export const TokenRecord = StoredCredential.extend({
  digest: z.string(),
  scope: TokenScope,
  session_id: z.string().optional(),
  expires_at: z.number().optional(),
});
export type TokenRecord = z.infer<typeof TokenRecord>;

/** The fields that all kinds have. */
export type CredentialRecord = z.infer<typeof StoredCredential>;

/** A kind of credentials that are stored. */
export interface CredentialKind<Credential extends CredentialRecord> {
  /** Part of its keys in a shared store. */
  readonly name: "login" | "token";
  readonly schema: z.ZodType<Credential>;
  /** When it ends by itself, in milliseconds since the epoch; Infinity: never. */
  readonly expiryOf: (record: Credential) => number;
  /** Its file in the data directory, without extension, and its key in that file. */
  readonly file: "logins" | "tokens";
  /** The consequence of losing the file, for people. */
  readonly loss: string;
}

export const loginKind: CredentialKind<LoginRecord> = {
  name: "login",
  schema: LoginRecord,
  expiryOf: ({ created_at, last_seen_at }) =>
    Math.min(last_seen_at + limits.loginIdleMs, created_at + limits.loginLifeMs),
  file: "logins",
  loss: "then every browser logs in again",
};

export const tokenKind: CredentialKind<TokenRecord> = {
  name: "token",
  schema: TokenRecord,
  expiryOf: ({ expires_at }) => expires_at ?? Infinity,
  file: "tokens",
  loss: "then every scoped token has to be made again",
};

/** Where credentials outlive a server that has its store to itself. */
export interface CredentialStore<Credential extends CredentialRecord> {
  load(): Promise<readonly Credential[]>;
  /** Replaces everything; resolves when it would outlive a crash. */
  save(records: readonly Credential[]): Promise<void>;
}
export type LoginStore = CredentialStore<LoginRecord>;
export type TokenStore = CredentialStore<TokenRecord>;

/** Log-ins in `<directory>/logins.json`, readable by the owner only. */
export function createLoginFile(directory: string): LoginStore {
  return createCredentialFile(directory, loginKind);
}

/** Scoped tokens in `<directory>/tokens.json`, readable by the owner only. */
export function createTokenFile(directory: string): TokenStore {
  return createCredentialFile(directory, tokenKind);
}

function createCredentialFile<Credential extends CredentialRecord>(
  directory: string,
  { file, schema, loss, name }: CredentialKind<Credential>,
): CredentialStore<Credential> {
  const path = join(directory, `${file}.json`);
  const unusable = (problem: string, cause: unknown): TransportError => {
    const noun = name === "login" ? "log-ins" : "scoped tokens";
    const message = `the file of ${noun} ${path} ${problem}; delete it, ${loss}`;
    return new TransportError(`${file}_damaged`, message, { cause });
  };
  return {
    async load() {
      const text = await readWhole(path).catch((cause: unknown) => {
        throw unusable("cannot be read", cause);
      });
      if (text === undefined) return [];
      const parsed = z.record(z.literal(file), z.array(schema)).safeParse(jsonFrom(text));
      if (parsed.success) return parsed.data[file];
      throw unusable("is damaged", parsed.error);
    },
    save: (records) => writeWhole(path, `${JSON.stringify({ [file]: records })}\n`),
  };
}
