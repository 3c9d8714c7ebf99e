import { describe, expect, it } from "vitest";
import { isOwnRequest } from "./same-origin.ts";

describe("isOwnRequest", () => {
  it.each([
    ["our page", { host: "localhost:4400", origin: "http://localhost:4400" }, true],
    ["another port of this machine", { host: "localhost:4400", origin: "http://localhost:8080" }, false],
    ["another site", { host: "localhost:4400", origin: "https://evil.example.org" }, false],
    ["a sandboxed frame", { host: "localhost:4400", origin: "null" }, false],
    ["our page without an Origin", { host: "localhost:4400", "sec-fetch-site": "same-origin" }, true],
    ["a form of another site without an Origin", { host: "localhost:4400", "sec-fetch-site": "cross-site" }, false],
    ["a program that says so", { host: "localhost:4400", "x-trainwatch-client": "cli" }, true],
    ["nothing that says anything", { host: "localhost:4400" }, false],
  ])("%s: %o is own: %s", (_who, headers, own) => expect(isOwnRequest(headers, null)).toBe(own));

  it("takes the public address that a proxy hides", () => {
    expect(isOwnRequest({ host: "127.0.0.1:4400", origin: "https://trainwatch.example.org" }, "https://trainwatch.example.org")).toBe(true);
  });
});
