/** JSON that this agent has written itself and whose CRC is right: its shape is what was written. */
export function readJson<T>(bytes: Uint8Array): T {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
}

export function writeJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value), "utf8");
}
