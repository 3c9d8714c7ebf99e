import { describe, expect, it } from "vitest";
import { readOtlpProtobuf } from "./otlp-protobuf.ts";
import { WireReader } from "./wire-reader.ts";

describe("a request of OTLP in protobuf", () => {
  it("is refused where its messages have nothing in them and are more than there is memory for", () => {
    const resources = (count: number) => new WireReader(Buffer.from(new Uint16Array(count).fill(0x000a).buffer));
    expect(readOtlpProtobuf(resources(1_000))).toHaveLength(1_000);
    expect(() => readOtlpProtobuf(resources(1_000_000))).toThrow(/more than 1000000 messages/);
  });
});
