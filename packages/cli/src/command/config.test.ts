import { expect, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";

test("turnwire config shows which Postgres is used, never its password", async () => {
  const machine = await TestMachine.create({ TURNWIRE_STORE: "postgres://ann:s3cr3t@db/turnwire" });
  for (const format of [[], ["--json"]]) {
    const { code, stdout } = await machine.run(["config", ...format]);
    expect(code).toBe(0);
    expect(stdout).toContain("postgres://ann@db/turnwire");
    expect(stdout).not.toContain("s3cr3t");
  }
  await machine.remove();
});

test("turnwire config keeps a space between a name and its value", async () => {
  const machine = await TestMachine.create();
  const { stdout } = await machine.run(["config"]);
  expect(stdout).toMatch(/^no-user-settings +false +default$/m);
  await machine.remove();
});
