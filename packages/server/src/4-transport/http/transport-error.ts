/** Why the transport could not start. */
export type TransportErrorCode =
  | "token_unsafe"
  | "token_weak"
  | "bind_insecure"
  | "invalid_mount_path"
  | "bind_failed"
  | "port_taken"
  | "wire_port_taken"
  | "not_listening"
  | "login_unavailable"
  | "logins_damaged"
  | "tokens_damaged"
  | "wire_conflict";

export class TransportError extends Error {
  readonly code: TransportErrorCode;
  constructor(code: TransportErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "TransportError";
    this.code = code;
  }
}
