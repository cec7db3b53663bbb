import { expect, test } from "vitest";
import { sidebarFrom } from "./sidebar-shape.ts";

test("the width stays within its bounds", () => {
  expect(sidebarFrom('{"width":300,"isHidden":true}')).toEqual({ width: 300, isHidden: true });
  expect(sidebarFrom('{"width":5}').width).toBe(208);
  expect(sidebarFrom('{"width":99999}').width).toBe(520);
});

test.each([null, "", "no json", "[]", '{"width":"wide","isHidden":1}'])(
  "whatever is in the storage, there is a sidebar: %j",
  (text) => {
    expect(sidebarFrom(text)).toEqual({ width: 288, isHidden: false });
  },
);
