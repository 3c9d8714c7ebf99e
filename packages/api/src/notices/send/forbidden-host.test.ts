import { describe, expect, it } from "vitest";
import { forbiddenHost, isForbiddenAddress } from "./forbidden-host.ts";

describe("hosts that nothing is sent to", () => {
  it.each([
    "169.254.169.254",
    "169.254.0.1",
    "[fe80::1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "fd00:ec2::254",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "fd20:ce::254",
    "[64:ff9b::a9fe:a9fe]",
    "[2002:a9fe:a9fe::1]",
    "Metadata.Google.Internal",
    "metadata.google.internal.",
  ])("%s", (host) => {
    expect(forbiddenHost(host)).not.toBeNull();
  });

  it.each(["127.0.0.1", "localhost", "10.0.0.7", "192.168.1.1", "[::1]", "hooks.slack.com", "metadata.example", "100.100.100.201"])(
    "%s is none of them",
    (host) => {
      expect(forbiddenHost(host)).toBeNull();
    },
  );

  it("says nothing of a name: what it leads to is looked at when something is sent", () => {
    expect([isForbiddenAddress("hooks.slack.com"), isForbiddenAddress("169.254.169.254")]).toEqual([false, true]);
  });
});
