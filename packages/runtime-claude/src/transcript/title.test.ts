import { expect, test } from "vitest";
import { Title } from "./title.ts";

/** A provider that knows one title and the first prompt, and what happened to it. */
function provider(wanted?: string) {
  const known: { customTitle?: string; firstPrompt?: string } = {};
  const renames: string[] = [];
  const taken: string[] = [];
  const title = new Title(
    {
      rename: async (sessionId, name) => {
        renames.push(`${sessionId} ${name}`);
        known.customTitle = name;
      },
      read: async () => known,
      onTitle: (name) => taken.push(name),
    },
    wanted,
  );
  return { title, known, renames, taken };
}

test("a title that a person gave is passed on once, and never before the provider has a session", async () => {
  const { title, renames, taken } = provider("One");
  await title.pass(undefined);
  await title.pass({ sessionId: "s1", isStart: true });
  expect(renames).toEqual([]);
  await title.pass({ sessionId: "s1" });
  await title.pass({ sessionId: "s1" });
  title.set("Two");
  await title.pass({ sessionId: "s1" });
  title.set(" ");
  await title.pass({ sessionId: "s1" });
  expect(renames).toEqual(["s1 One", "s1 Two"]);
  expect(taken).toEqual(["Two"]);
});

test.each([undefined, "Fix the login", "Fix the login…", "Fix the"])(
  "the provider's title is taken, each once, where ours is %j",
  async (wanted) => {
    const { title, known, renames, taken } = provider(wanted);
    known.firstPrompt = "Fix the login\n  and the logout";
    await title.pass({ sessionId: "s1" });
    known.customTitle = "Login repairs";
    await title.pass({ sessionId: "s1" });
    await title.pass({ sessionId: "s1" });
    known.customTitle = "Login and logout repairs";
    await title.pass({ sessionId: "s1" });
    expect(taken).toEqual(["Login repairs", "Login and logout repairs"]);
    expect(renames).toEqual([]);
  },
);

test("what a person chose stays, whatever the provider makes of it", async () => {
  const { title, known, renames, taken } = provider();
  known.customTitle = "Generated";
  await title.pass({ sessionId: "s1" });
  title.set("Mine");
  await title.pass({ sessionId: "s1" });
  known.customTitle = "Generated again";
  await title.pass({ sessionId: "s1" });
  expect(renames).toEqual(["s1 Mine"]);
  expect(taken).toEqual(["Generated"]);
});
