import { describe, expect, it } from "vitest";
import { detectFormat, type LogFormat } from "./index.ts";

const refusalOf = (head: Uint8Array | string, formats?: readonly LogFormat[]): string => {
  const detection = detectFormat(typeof head === "string" ? Buffer.from(head) : head, formats);
  return detection.kind === "refused" ? `${detection.refusal.code}: ${detection.refusal.message}` : detection.format.id;
};

describe("what is refused, and why", () => {
  it.each([
    ["", "empty: The file is empty."],
    [" \n\r\n\t\0", "empty: The file is empty."],
    [Buffer.from("1f8b0800", "hex"), "compressed: The content is gzip-compressed; decompress it first."],
    [Buffer.from("28b52ffd", "hex"), "compressed: The content is zstd-compressed; decompress it first."],
    [Buffer.from("80049500", "hex"), "binary: The content is a Python pickle, which is never loaded; export it as JSON."],
    ["PK\u0003\u0004", "binary: The content is a zip archive (or a PyTorch checkpoint); extract the log from it."],
    [Buffer.from([1, 2, 3, 4, 0, 200, 7, 1]), "binary: The content is binary and no known log format."],
  ])("%j is refused", (head, reason) => {
    expect(refusalOf(head)).toBe(reason);
  });

  it("prose is refused with the formats that are known", () => {
    expect(refusalOf("Dear diary, the loss was 2.5 at step 10 today.\nNothing else.\n")).toMatch(
      /^unknown: No known log format .* Known: .*megatron.*verl/,
    );
  });

  it("two formats that claim a head equally are refused by name", () => {
    const claim = (id: string, title: string): LogFormat => ({
      id,
      title,
      source: "test.",
      sniff: () => 0.8,
      parser: () => ({ push: () => undefined, end: () => undefined }),
    });
    expect(refusalOf("x", [claim("a", "A"), claim("b", "B")])).toBe("ambiguous: The content looks like A and like B; name the format.");
  });
});
