import { defined } from "@turnwire/base";
import {
  accepted,
  type CreateSession,
  type PastSession,
  rejected,
  type Result,
  type SessionInfo,
  type Principal,
} from "@turnwire/protocol";
import type { OpenSession } from "@turnwire/wire";
import { Serial } from "@turnwire/log/list";
import type { SessionHost } from "./session-host.ts";

/** How long a host that died keeps others from importing what it was importing. */
const IMPORT_MS = 60_000;

/** Which one, and the id that the session gets where it is to have a certain one. */
type PastId = Pick<PastSession, "runtime" | "provider_session_id"> &
  Pick<CreateSession, "session_id">;

export interface ImportedSession {
  readonly info: SessionInfo;
  /** It was not a session here before. */
  readonly isNew: boolean;
}

/** What agents' own programs left on this machine: it belongs to whoever runs the server. */
export class PastSessions {
  readonly #host: SessionHost;
  /** One import after the other, so that a conversation becomes one session however often it is asked for. */
  readonly #serial = new Serial();

  constructor(host: SessionHost) {
    this.#host = host;
  }

  /** Newest first, without those that are sessions here. */
  async list({ isAdmin }: Principal): Promise<PastSession[]> {
    if (!isAdmin) return [];
    const lists = await Promise.all(
      Array.from(this.#host.histories, async ([name, history]) => {
        try {
          return Array.from(await history.list(), (past) => ({ ...past, runtime: name }));
        } catch (error) {
          // One agent whose past cannot be read does not hide the others'.
          this.#host.report(error);
          return [];
        }
      }),
    );
    const own = await this.#host.providerSessions();
    return lists
      .flat()
      .filter(({ provider_session_id }) => !own.has(provider_session_id))
      .toSorted((left, right) => right.updated_at.localeCompare(left.updated_at));
  }

  /**
   * The session of an id: ours, or the one whose conversation has that id in its agent's own program.
   * With `imports`, for admins, such a conversation that is not a session yet becomes one.
   */
  async open(
    id: string,
    principal: Principal,
    { imports = false }: { readonly imports?: boolean } = {},
  ): Promise<Result<OpenSession>> {
    const own = await this.#host.openOrRead(id, principal);
    if (own.ok || own.error.code !== "session_not_found") return own;
    const known = (await this.#host.providerSessions()).get(id);
    if (known !== undefined) return this.#host.openOrRead(known, principal);
    if (!imports || !principal.isAdmin) return own;
    for (const runtime of this.#host.histories.keys()) {
      const imported = await this.import({ runtime, provider_session_id: id }, principal);
      if (imported.ok) return this.#host.openOrRead(imported.value.info.session_id, principal);
      if (imported.error.code !== "not_found") return imported;
    }
    return own;
  }

  /** Makes a session of a past one: its whole conversation is in the log, and the agent continues it. */
  import(past: PastId, principal: Principal): Promise<Result<ImportedSession>> {
    return this.#serial.run(() => this.#importAlone(past, principal));
  }

  /** Not while another host does, which may see the same conversations. */
  async #importAlone(past: PastId, principal: Principal): Promise<Result<ImportedSession>> {
    const { isShared, values } = this.#host.sharing;
    if (!isShared) return this.#import(past, principal);
    const key = `import/${past.runtime}/${past.provider_session_id}`;
    if (!(await values.writeValue(key, "", { ttlMs: IMPORT_MS, onlyIf: null }))) {
      return rejected("overloaded", "Another host imports this conversation: try again.");
    }
    try {
      return await this.#import(past, principal);
    } finally {
      await values.takeValue(key);
    }
  }

  async #import(past: PastId, principal: Principal): Promise<Result<ImportedSession>> {
    const { runtime: name, provider_session_id, session_id } = past;
    const history = this.#host.histories.get(name);
    if (!history) return rejected("capability_missing", `The runtime ${name} has no history.`);
    const existing = await this.#sessionOf(provider_session_id, principal);
    if (existing) return accepted({ info: existing, isNew: false });
    const known = (await history.list()).find(
      (entry) => entry.provider_session_id === provider_session_id,
    );
    const events = known && (await history.read(provider_session_id));
    if (!events) {
      const message = `${name} has no session ${provider_session_id} on this machine.`;
      return rejected("not_found", message);
    }
    const { cwd, title } = known;
    const created = await this.#host.create(
      { runtime: name, ...defined({ session_id, cwd, title }) },
      principal,
      { past: async () => ({ origin: { provider_session_id }, history: [events] }) },
    );
    return created.ok ? accepted({ info: created.value.info(), isNew: true }) : created;
  }

  async #sessionOf(providerId: string, principal: Principal): Promise<SessionInfo | undefined> {
    const sessionId = (await this.#host.providerSessions()).get(providerId);
    if (sessionId === undefined) return undefined;
    const opened = await this.#host.openOrRead(sessionId, principal);
    return opened.ok ? opened.value.info() : undefined;
  }
}
