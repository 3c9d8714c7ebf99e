import { describe, expect, it } from "vitest";
import { hostName, isLoopback, isOwnHost } from "./host-guard.ts";

describe("isLoopback", () => {
  it.each(["localhost", "LOCALHOST", "app.localhost", "127.0.0.1", "127.8.9.1", "::1", "[::1]", "::ffff:127.0.0.1"])(
    "%s stays on this machine",
    (host) => expect(isLoopback(host)).toBe(true),
  );
  it.each([
    "0.0.0.0",
    "::",
    "10.0.0.1",
    "example.org",
    "localhost.example.org",
    "127.0.0.1.example.org",
    "128.0.0.1",
    "::ffff:10.0.0.1",
    "",
  ])("%s does not", (host) => expect(isLoopback(host)).toBe(false));
});

describe("hostName", () => {
  it.each([
    ["localhost:4400", "localhost"],
    ["127.0.0.1", "127.0.0.1"],
    ["[::1]:4400", "::1"],
    ["Trainwatch.Example.org", "trainwatch.example.org"],
    ["a/b", null],
    ["user@localhost", null],
    ["", null],
    [undefined, null],
  ])("of %s is %s", (header, name) => expect(hostName(header)).toBe(name));
});

describe("isOwnHost", () => {
  it.each([
    ["localhost:4400", null, true],
    ["127.0.0.1:4400", null, true],
    ["evil.example.org", null, false],
    ["evil.example.org:4400", "https://trainwatch.example.org", false],
    ["trainwatch.example.org", "https://trainwatch.example.org", true],
    [undefined, null, false],
  ])("host %s with public address %s: %s", (host, publicUrl, own) => expect(isOwnHost(host, publicUrl)).toBe(own));
});
