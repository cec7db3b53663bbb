import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { builtCli } from "../support/built-program.ts";
import { HostProcess } from "./host-process.ts";
import { Link } from "./link.ts";
import type { Door } from "./sender.ts";

export interface ClusterOptions {
  /** Everything is kept below it. Short, because it holds socket files. */
  readonly directory: string;
  readonly names: readonly string[];
  readonly token: string;
  /** The database of all hosts, by a socket file. */
  readonly databaseUrl: string;
  /** How long the leases of a host are good after it renewed them. */
  readonly leaseMs: number;
}

/** A host, the way to it, and its way to the database. */
export interface ClusterHost {
  readonly name: string;
  readonly process: HostProcess;
  /** Where clients reach it, also after it was started again. */
  readonly door: Door;
  readonly database: Link;
}

/** Several `turnwire serve` over one database, each with ways that can be cut. */
export class Cluster {
  readonly hosts: readonly ClusterHost[];
  /** Leads to the first host that takes a connection. */
  readonly balancer: string;
  readonly #closers: readonly (() => Promise<void>)[];

  static async start(options: ClusterOptions): Promise<Cluster> {
    const root = join(options.directory, "root");
    await mkdir(root, { recursive: true });
    const main = await builtCli();
    const links: Link[] = [];
    const hosts = await Promise.all(
      options.names.map((name) => prepareHost(name, { ...options, root, links, main })),
    );
    const balancer = new Link(() => hosts.flatMap(({ process }) => targetsOf(process)));
    links.push(balancer);
    const url = `http://127.0.0.1:${await balancer.listen()}`;
    const cluster = new Cluster(
      hosts,
      url,
      links.map((link) => () => link.close()),
    );
    try {
      await Promise.all(hosts.map((host) => host.process.start()));
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  private constructor(
    hosts: readonly ClusterHost[],
    balancer: string,
    closers: readonly (() => Promise<void>)[],
  ) {
    this.hosts = hosts;
    this.balancer = balancer;
    this.#closers = closers;
  }

  async close(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.process.kill()));
    await Promise.all(this.#closers.map((close) => close()));
  }
}

interface Preparation extends ClusterOptions {
  readonly root: string;
  readonly main: string;
  /** Takes the links that are made. */
  readonly links: Link[];
}

async function prepareHost(name: string, preparation: Preparation): Promise<ClusterHost> {
  const { databaseUrl, token, root, links, leaseMs, main } = preparation;
  const directory = join(preparation.directory, name);
  await mkdir(directory, { recursive: true });
  const database = await linkTo(databaseUrl, directory);
  links.push(database.link);
  const process = new HostProcess({
    name,
    directory,
    token,
    root,
    main,
    env: { TURNWIRE_STORE: database.url, TURNWIRE_LEASE_SECONDS: String(leaseMs / 1000) },
  });
  const front = new Link(() => targetsOf(process));
  links.push(front);
  const door = { name, url: `http://127.0.0.1:${await front.listen()}` };
  return { name, process, door, database: database.link };
}

function targetsOf({ port }: HostProcess) {
  return port === undefined ? [] : [{ port, host: "127.0.0.1" }];
}

const socketName = ".s.PGSQL.5432";

/** A socket file of its own that leads to the database's. */
async function linkTo(
  databaseUrl: string,
  directory: string,
): Promise<{ readonly link: Link; readonly url: string }> {
  const address = new URL(databaseUrl);
  const target = join(decodeURIComponent(address.hostname), socketName);
  const link = new Link(() => [{ path: target }]);
  await link.listenOn(join(directory, socketName));
  const user = address.username === "" ? "" : `${address.username}@`;
  const url = `postgres://${user}${encodeURIComponent(directory)}${address.pathname}`;
  return { link, url };
}
