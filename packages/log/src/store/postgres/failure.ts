import { errorText } from "@turnwire/base";
import { DatabaseError } from "pg";
import { StoreError } from "../../store-error.ts";

/** SQLSTATE codes and classes after which another connection, or the same statement later, may work. */
const passing: readonly string[] = [
  "08", // the connection failed
  "25P03", // a transaction was idle for too long
  "40", // rolled back because of others
  "53", // out of connections, memory or disk
  "55P03", // a lock was not free in time
  "57", // the server shuts down, starts up, or ended the statement
];

/** Whether the work failed for a reason that may pass: it may or may not have been done. */
export function isPassing(error: unknown): boolean {
  if (error instanceof StoreError) return false;
  // What is not from the server is about the connection to it.
  const code = sqlState(error);
  return code === undefined || passing.some((prefix) => code.startsWith(prefix));
}

/** Whether there was no answer: the connection broke, or carries nothing any more. */
export function isUnanswered(error: unknown): boolean {
  return !(error instanceof StoreError) && sqlState(error) === undefined;
}

/** Whether the server has certainly undone the work. */
export function isUndone(error: unknown): boolean {
  const code = sqlState(error) ?? "";
  return ["25P03", "40001", "40P01", "55P03", "57P03"].includes(code) || code.startsWith("53");
}

/** Whether the server has answered that it does not do such a thing, so that nothing was done. */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof StoreError && sqlState(error.cause) !== undefined && !isPassing(error.cause)
  );
}

/** The name of the constraint that a row would have broken. */
export function brokenConstraint(error: unknown): string | undefined {
  const cause = error instanceof StoreError ? error.cause : error;
  return sqlState(cause) === "23505" ? (cause as DatabaseError).constraint : undefined;
}

/** Every failure of the database as the port promises it. Anybody may read why a store cannot write, so no text names an address or a password. */
export function storeErrorFrom(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = sqlState(error);
  const text = code === undefined ? unreachable(error) : explained(error, code);
  return new StoreError("unavailable", text, { cause: error });
}

function explained(error: unknown, code: string): string {
  return `${explanations[code] ?? `Postgres: ${errorText(error)}`} (${code})`;
}

/** The system's own messages name the address; their codes, such as ECONNREFUSED, do not. */
function unreachable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code === "string") {
    return /CERT|SIGNATURE/.test(code)
      ? `the certificate of the Postgres server was not accepted: put that of its authority in NODE_EXTRA_CA_CERTS, and name the server as it is named there (${code})`
      : `the Postgres server does not answer (${code})`;
  }
  const text = errorText(error);
  // pg 8.23 has no codes for these two.
  if (text.includes("client password must be")) return passwordMissing;
  if (text.includes("does not support SSL")) {
    return "the Postgres server has no TLS, which the sslmode of the URL demands";
  }
  return `the Postgres server does not answer (${text})`;
}

const passwordMissing =
  "Postgres demands a password: set PGPASSWORD, or name it in the URL of TURNWIRE_STORE";

const explanations: Readonly<Record<string, string>> = {
  "25006":
    "the Postgres server takes no writes: name the primary, not a standby, and see its default_transaction_read_only",
  "28000": "Postgres refused the user, or this host: see its pg_hba.conf",
  "28P01": "Postgres refused the password: set PGPASSWORD, or name it in the URL of TURNWIRE_STORE",
  "3D000": "there is no such database: create it first, for example with createdb",
  "42501":
    "the Postgres user may not do this: it must own the schema turnwire, or be able to create it",
  "53300":
    "the Postgres server has no free connection: raise its max_connections, or use fewer hosts",
  "57P01": "the Postgres server was stopped",
  "57P03": "the Postgres server is starting up or shutting down",
};

function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}
