import { describe, expect, test } from "vitest";
import { hrefOf, routeFrom, routeToSession, type Route } from "./route.ts";

describe.each(["http://127.0.0.1:4747/", "https://example.org/tools/agents/"])(
  "under %s",
  (root) => {
    test.each<Route>([
      { type: "home" },
      { type: "past" },
      { type: "session", sessionId: "Abc_1-2" },
    ])("an address leads back to its route: %o", (route) => {
      expect(routeFrom(root, hrefOf(root, route))).toEqual(route);
      expect(routeFrom(root, `${hrefOf(root, route)}?from=mail#end`)).toEqual(route);
    });

    test("a second session beside the first is in the address, unless it is none or the same", () => {
      const route: Route = { type: "session", sessionId: "a", besideId: "b" };
      expect(routeFrom(root, hrefOf(root, route))).toEqual(route);
      const alone: Route = { type: "session", sessionId: "a" };
      expect(routeFrom(root, `${root}s/a?beside=a`)).toEqual(alone);
      expect(routeFrom(root, `${root}s/a?beside=..%2Fx`)).toEqual(alone);
    });

    test.each(["none", "s", "s/a/b", "s/%E0%A4%A", "s/a%2Fb", "import/x"])(
      "nothing is at %s",
      (path) => {
        expect(routeFrom(root, `${root}${path}`)).toEqual({ type: "unknown" });
      },
    );
  },
);

describe("a session that is picked", () => {
  test("takes the place of the first and leaves the one beside", () => {
    const both: Route = { type: "session", sessionId: "a", besideId: "b" };
    expect(routeToSession(both, "c")).toEqual({ type: "session", sessionId: "c", besideId: "b" });
    expect(routeToSession({ type: "home" }, "c")).toEqual({ type: "session", sessionId: "c" });
  });

  test("changes places with the first where it is the one beside", () => {
    const both: Route = { type: "session", sessionId: "a", besideId: "b" };
    expect(routeToSession(both, "b")).toEqual({ type: "session", sessionId: "b", besideId: "a" });
  });
});
