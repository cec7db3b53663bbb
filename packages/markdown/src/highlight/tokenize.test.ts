import { describe, expect, test } from "vitest";
import { languageFromPath } from "./language.ts";
import { plainLines } from "./token.ts";
import { tokenLinesFrom } from "./tokenize.ts";

const samples: Readonly<Record<string, string>> = {
  "a.ts": "const a: string = 'b'; // c",
  "a.tsx": "export const a = <b className='c' />;",
  "a.js": "function a() { return 1; }",
  "a.json": '{ "a": [1, true] }',
  "a.sh": "if [ -f a ]; then echo 'b'; fi",
  "a.py": "def a(b):\n    return None  # c",
  "a.go": 'func a() string { return "b" }',
  "a.rs": "fn a() -> u32 { 1 }",
  "A.java": "class A { int b = 1; }",
  "a.c": "int a(void) { return 1; }",
  "a.cpp": "class A { int b = 1; };",
  "a.cs": "class A { int b = 1; }",
  "a.rb": "def a\n  'b'\nend",
  "a.php": "<?php function a() { return 'b'; }",
  "a.css": ".a { color: red; }",
  "a.html": "<a href='b'>c</a>",
  "a.yaml": "a: 'b'\nc: 1",
  "a.toml": "[a]\nb = 'c'",
  "a.sql": "SELECT a FROM b WHERE c = 1",
  "a.patch": "-a\n+b",
  Dockerfile: "FROM node:20\nRUN echo a",
  "a.md": "# a\n\n**b**",
  "a.swift": "func a() -> Int { return 1 }",
  "a.kt": "fun a(): Int = 1",
};

describe("tokens", () => {
  test.each(Object.entries(samples))("of %s have kinds, and are all of its text", (path, code) => {
    const lines = tokenLinesFrom(code, languageFromPath(path) ?? "");
    expect(lines.map((line) => line.map(({ text }) => text).join("")).join("\n")).toBe(code);
    expect(lines.flat().some(({ kind }) => kind !== "plain")).toBe(true);
  });

  test("that go over lines are cut at line ends", () => {
    expect(tokenLinesFrom("/* a\n\nb */", "ts")).toEqual([
      [{ text: "/* a", kind: "comment" }],
      [],
      [{ text: "b */", kind: "comment" }],
    ]);
  });

  test("of an unknown language are plain", () => {
    for (const language of ["", "klingon", "constructor", "__proto__", "toString"]) {
      expect(tokenLinesFrom("a\nb", language)).toEqual(plainLines("a\nb"));
    }
  });
});

describe("the language of a file", () => {
  test("is recognized by the end of its name, or by the name", () => {
    expect(languageFromPath("/home/src/App.TSX")).toBe("typescript");
    expect(languageFromPath("C:\\a\\b.py")).toBe("python");
    expect(languageFromPath("a/Dockerfile.dev")).toBe("dockerfile");
    expect(languageFromPath("Makefile")).toBe("makefile");
  });

  test("is not guessed", () => {
    for (const path of ["", "a", "a.", ".constructor", "a.__proto__", "ts", "dir.ts/file"]) {
      expect(languageFromPath(path)).toBeUndefined();
    }
  });
});
