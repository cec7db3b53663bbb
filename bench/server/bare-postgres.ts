import { Client } from "pg";

/** Rows in the same shape as the store's, without port, lease, fence or checks: what Postgres itself takes. */
export class BarePostgres {
  readonly #clients: readonly Client[];

  static async open(url: string, connections: number): Promise<BarePostgres> {
    const clients = Array.from({ length: connections }, () => new Client(url));
    await Promise.all(clients.map((client) => client.connect()));
    // Two that make it at the same moment would both find it missing.
    await clients[0]?.query(
      `BEGIN; SELECT pg_advisory_xact_lock(1);
       CREATE TABLE IF NOT EXISTS bare_events
         (session_id text, seq bigint, json text, PRIMARY KEY (session_id, seq));
       COMMIT`,
    );
    return new BarePostgres(clients);
  }

  private constructor(clients: readonly Client[]) {
    this.#clients = clients;
  }

  get connections(): number {
    return this.#clients.length;
  }

  /** Rows of one commit, through one of the connections; resolves when it is durable. */
  async append(
    connection: number,
    rows: { readonly sessionId: string; readonly seqs: number[]; readonly texts: string[] },
  ): Promise<void> {
    await this.#client(connection).query({
      name: "append",
      text: "INSERT INTO bare_events SELECT $1, * FROM unnest($2::bigint[], $3::text[])",
      values: [rows.sessionId, rows.seqs, rows.texts],
    });
  }

  async notify(connection: number, channel: string, payload: string): Promise<void> {
    await this.#client(connection).query("SELECT pg_notify($1, $2)", [channel, payload]);
  }

  async listen(
    connection: number,
    channel: string,
    onPayload: (payload: string) => void,
  ): Promise<void> {
    const client = this.#client(connection);
    client.on("notification", ({ payload = "" }) => onPayload(payload));
    await client.query(`LISTEN ${channel}`);
  }

  async read(connection: number, sessionId: string, after: number): Promise<string[]> {
    const { rows } = await this.#client(connection).query<{ json: string }>({
      name: "read",
      text: "SELECT json FROM bare_events WHERE session_id = $1 AND seq > $2 ORDER BY seq",
      values: [sessionId, after],
    });
    return rows.map(({ json }) => json);
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.end()));
  }

  #client(connection: number): Client {
    const client = this.#clients[connection];
    if (!client) throw new RangeError(`there is no connection ${connection}`);
    return client;
  }
}
