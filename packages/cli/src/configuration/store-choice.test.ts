import { describe, expect, test } from "vitest";
import { isPasswordVisible, shownStore, storeFrom, storeText } from "./store-choice.ts";

const secret = "postgres://ann:s3cr3t@db/turnwire";

describe("a password of a Postgres URL", () => {
  test.for([
    secret,
    "postgresql://ann:s3cr3t@/turnwire?host=/run",
    "postgres://ann:a:s3cr3t/@db/turnwire",
    "postgres://ann@db/turnwire?password=s3cr3t&sslmode=require",
    "postgres://ann:p@s3cr3t@db/turnwire",
    "postgres://ann:p/s3cr3t?#@db/turnwire",
    "Postgres://ann:s3cr3t@db/turnwire",
    "mysql://ann:s3cr3t@db/turnwire",
  ])("is never shown: %s", (url) => {
    expect(shownStore(url)).not.toContain("s3cr3t");
    expect(shownStore(url)).toContain("ann");
    expect(storeText({ type: "postgres", url })).not.toContain("s3cr3t");
  });

  test("is not in the message about a URL that is wrong", () => {
    const wrong = { store: "postgres://ann:s3cr3t@db:port/x", durability: "durable" } as const;
    expect(() => storeFrom(wrong, "/data")).toThrow(/--store must be/);
    expect(() => storeFrom(wrong, "/data")).not.toThrow(/s3cr3t/);
  });

  test("leaves the rest of the URL as it is", () => {
    expect(shownStore("postgres://ann:s3cr3t@db:5433/turnwire?application_name=a@b")).toBe(
      "postgres://ann@db:5433/turnwire?application_name=a@b",
    );
    expect(shownStore("postgres://db:5433/turnwire?application_name=a@b")).toBe(
      "postgres://db:5433/turnwire?application_name=a@b",
    );
  });

  test("is visible to others only when it was given as a flag", () => {
    expect(isPasswordVisible(secret, { variable: undefined, file: undefined })).toBe(true);
    expect(isPasswordVisible(secret, { variable: secret, file: undefined })).toBe(false);
    expect(isPasswordVisible(secret, { variable: undefined, file: secret })).toBe(false);
    const plain = "postgres://ann@db/turnwire";
    expect(isPasswordVisible(plain, { variable: undefined, file: undefined })).toBe(false);
  });
});
