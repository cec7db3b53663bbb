import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { newDatabase, query } from "../../../../../test/support/database.ts";
import { migrate } from "./migration.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

async function emptyDatabase(): Promise<string> {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  return database.url;
}

const step = (name: string, isBreaking = false) => ({
  sql: `CREATE TABLE turnwire.${name} (id int)`,
  isBreaking,
});

test("hosts that start at once on an empty database make its schema once", async () => {
  const url = await emptyDatabase();
  const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore({ url })));
  await Promise.all(stores.map((store) => store.close()));
  const versions = await query(url, "SELECT version FROM turnwire.schema ORDER BY version");
  expect(versions).toEqual(versions.map((_, index) => ({ version: index + 1 })));
});

test("a database that a newer Turnwire has added to serves an older one", async () => {
  const url = await emptyDatabase();
  const older = [step("first", true), step("second")];
  await migrate(url, older);
  await migrate(url, [...older, step("third")]);
  await expect(migrate(url, older)).resolves.toBeUndefined();
  expect(await query(url, "SELECT max(version) AS version FROM turnwire.schema")).toEqual([
    { version: 3 },
  ]);
});

test("a database that an older Turnwire cannot use refuses it, and is left as it is", async () => {
  const url = await emptyDatabase();
  const older = [step("first", true)];
  await migrate(url, [...older, step("second", true)]);
  await expect(migrate(url, older)).rejects.toMatchObject({ code: "schema_too_new" });
  await expect(migrate(url, older)).rejects.toThrow(/start a newer Turnwire/);
});

test("a step that fails leaves nothing of itself, and the next start tries it again", async () => {
  const url = await emptyDatabase();
  const broken = { sql: "CREATE TABLE turnwire.second (id int); SELECT 1 / 0" };
  await expect(migrate(url, [step("first"), broken])).rejects.toMatchObject({
    code: "unavailable",
  });
  await migrate(url, [step("first"), step("second")]);
  expect(await query(url, "SELECT count(*)::int AS count FROM turnwire.schema")).toEqual([
    { count: 2 },
  ]);
});

test("a server that is not there, and a database that is not, are explained without the password", async () => {
  const away = openPostgresStore({ url: "postgres://ann:s3cr3t@127.0.0.1:1/turnwire" });
  await expect(away).rejects.toMatchObject({ code: "unavailable" });
  await expect(away).rejects.not.toThrow(/s3cr3t/);
  const url = new URL(await emptyDatabase());
  url.pathname = "/missing";
  await expect(openPostgresStore({ url: url.href })).rejects.toThrow(/no such database/);
});

test("a schema that was made for the user is enough, without the right to make one", async () => {
  const url = new URL(await emptyDatabase());
  url.username = `user_${randomUUID().replaceAll("-", "")}`;
  const owned = await emptyDatabase();
  await query(owned, `CREATE ROLE ${url.username} LOGIN`);
  onTestFinished(async () => {
    await query(owned, `DROP OWNED BY ${url.username}; DROP ROLE ${url.username}`);
  });
  await expect(openPostgresStore({ url: url.href })).rejects.toThrow(
    /must own the schema turnwire/,
  );
  await query(owned, `CREATE SCHEMA turnwire AUTHORIZATION ${url.username}`);
  url.pathname = new URL(owned).pathname;
  const store = await openPostgresStore({ url: url.href });
  expect(await store.health()).toMatchObject({ isWritable: true });
  await store.close();
});

test("a database in another encoding than UTF-8 is refused, with what to do", async () => {
  const options = "ENCODING LATIN1 LOCALE 'C' TEMPLATE template0";
  const database = await newDatabase(undefined, options);
  onTestFinished(() => database.remove());
  const refused = openPostgresStore({ url: database.url });
  await expect(refused).rejects.toThrow(/encoding LATIN1.*--encoding=UTF8/);
});

test("a database that takes no writes is reported as such, also while nothing is written", async () => {
  const url = await emptyDatabase();
  await migrate(url);
  const name = new URL(url).pathname.slice(1);
  await query(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  expect(await store.health()).toMatchObject({
    isWritable: false,
    reason: expect.stringMatching(/takes no writes/),
  });
});
