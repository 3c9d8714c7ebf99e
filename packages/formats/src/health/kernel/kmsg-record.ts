/** A record of `/dev/kmsg` (Documentation/ABI/testing/dev-kmsg): `6,339,5140900,-;text`, priority and facility together, number, µs since boot. */
export interface KmsgHead {
  /** 0 emergency to 7 debug. */
  readonly level: number;
  /** 0: the kernel; else a program that has written into its log. */
  readonly facility: number;
  readonly sequence: number;
  readonly sinceBootUs: number;
  readonly text: string;
}

const HEAD = /^(\d{1,6}),(\d{1,20}),(\d{1,20}),[^;]{0,80};(.*)$/s;

/** Null where the line begins no record: continuation lines begin with a space and hold `KEY=value` of the device. */
export function readKmsgHead(line: string): KmsgHead | null {
  const found = HEAD.exec(line);
  if (found === null) return null;
  const [, priority, sequence, time, text = ""] = found;
  const number = Number(priority);
  return { level: number & 7, facility: number >> 3, sequence: Number(sequence), sinceBootUs: Number(time), text: unescapeKmsg(text) };
}

/** The kernel writes bytes that are no printable ASCII, and the backslash, as `\x1b`. Several in a row may be one character of UTF-8. */
export function unescapeKmsg(text: string): string {
  if (!text.includes("\\x")) return text;
  return text.replace(/(?:\\x[0-9a-f]{2})+/gi, (escaped) => {
    const bytes = escaped
      .slice(2)
      .split("\\x")
      .map((hex) => Number.parseInt(hex, 16));
    return decodeBytes(bytes);
  });
}

function decodeBytes(bytes: readonly number[]): string {
  try {
    return decodeURIComponent(bytes.map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""));
  } catch {
    // No UTF-8: each byte as Latin-1 has it.
    return String.fromCharCode(...bytes);
  }
}
