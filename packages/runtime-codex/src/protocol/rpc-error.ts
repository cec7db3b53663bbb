/** What an app-server answered instead of a result. */
export class RpcError extends Error {
  /** The JSON-RPC code; Codex uses -32600 for nearly everything and -32001 for overload. */
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }
}

export const OVERLOADED = -32_001;
