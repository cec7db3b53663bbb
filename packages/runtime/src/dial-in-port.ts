import type { ContentBlock } from "@turnwire/protocol";

/** Takes agents that open a connection to us. */
export interface DialInPort {
  /** Reads a connection that a CLI has opened. */
  connect(link: CliLink, host: DialInHost): AdoptedCli;
  /** The CLI of a conversation, connected or expected back. */
  find(providerSessionId: string): { readonly isConnected: boolean } | undefined;
}

/** The connection that a Claude CLI has opened to us: lines of stream-json both ways. */
export interface CliLink {
  /** What the CLI writes, whole lines without their line breaks; ends when the connection does. Read once. */
  readonly lines: AsyncIterable<string>;
  /** Writes one line, given without its line break; resolves when there is room for more. Rejects when the connection is gone. */
  write(line: string): Promise<void>;
  /**
   * Closes the connection. The CLI dials in again after 1000, 1001, 1006 and 4999, and exits after 1002,
   * 4001 and 4003 (seen with 2.1.120). Safe to call twice; never rejects.
   */
  close(code?: number): Promise<void>;
  /** Where it comes from, for people: such as an address. */
  readonly description: string;
}

/** A CLI that dialled in, from when its connection opened to when that is over. */
export interface AdoptedCli {
  /** Our session that it works in; undefined until the CLI has named it, which it does with its first turn. */
  readonly sessionId: string | undefined;
  /** Called with our session's id whenever the CLI has come to work in it; returns how to stop that. */
  onSession(listener: (sessionId: string) => void): () => void;
  /**
   * Passes a line of a front end to a CLI that has not named a session yet: without a `user` message it never
   * does. False when it has a session: then the line is a command of that session.
   */
  send(line: string): Promise<boolean>;
  /** Settles when the connection is over. */
  readonly ended: Promise<void>;
}

/** The conversation of a CLI that dialled in. */
export interface DialledConversation {
  /** The provider's id of it. */
  readonly providerSessionId: string;
  /**
   * Where the CLI works, as it says when its first turn begins; undefined where it does not say it. Never known
   * where it begins none.
   */
  readonly cwd: Promise<string | undefined>;
  /** What it was asked before it had named the conversation. */
  readonly prompt: () => FirstPrompt | undefined;
}

/** Who has the sessions of CLIs that dial in. */
export interface DialInHost {
  /** Whose CLI it is. */
  readonly owner: string;
  /** Whether its CLI may take the place of one of another owner in the same conversation. */
  mayTake(owner: string): boolean;
  /** Makes the CLI the agent of its session, of a new one if need be; answers with our id of it. */
  adopt(conversation: DialledConversation): Promise<string>;
  /** The CLI no longer works in the session. Where its connection is still open, it is given to be closed. */
  onLeft(providerSessionId: string, link: CliLink | undefined): void;
  readonly onError: (error: unknown) => void;
}

/** The code that ends a CLI: it does not dial in again. */
export const finalCloseCode = 4001;

/** A message that went to a CLI before it had named its session. */
export interface FirstPrompt {
  readonly line: string;
  /** The id of the turn that it starts. */
  readonly turnId: string;
  readonly content: readonly ContentBlock[];
}
