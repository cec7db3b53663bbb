/** What one check found. A problem keeps the server from starting; a warning does not. */
export interface Finding {
  readonly name: string;
  readonly status: "ok" | "warning" | "problem";
  readonly text: string;
  /** What to do about it. */
  readonly next?: string;
}

export const ok = (name: string, text: string): Finding => ({ name, status: "ok", text });

export const warning = (name: string, text: string, next: string): Finding => ({
  name,
  status: "warning",
  text,
  next,
});

export const problem = (name: string, text: string, next: string): Finding => ({
  name,
  status: "problem",
  text,
  next,
});
