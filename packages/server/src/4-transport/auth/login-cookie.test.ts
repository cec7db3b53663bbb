import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { expect, test } from "vitest";
import { LoginCookie } from "./login-cookie.ts";

test("the cookie of a log-in is Secure on a connection with TLS, and on no other", () => {
  const cookie = new LoginCookie("server");
  const encrypted = new IncomingMessage(new TLSSocket(new Socket()));
  expect(cookie.setHeader(encrypted, "value")).toMatch(/; Secure$/);
  expect(cookie.clearHeader(encrypted)).toMatch(/; Secure$/);
  expect(cookie.setHeader(new IncomingMessage(new Socket()), "value")).not.toContain("Secure");
});
