import { utf8Decoder } from "./utf8-decoder.ts";

/** Longest line read, in characters. Real log lines stay under 64 KiB; what is longer is a dump or damage. */
export const MAX_LINE_CHARS = 1 << 20;
/** Bytes decoded at a time, so that one huge chunk does not become one huge string. */
const SLICE_BYTES = 1 << 16;

export interface LineConsumer {
  /**
   * One non-empty line without its end. A carriage return alone (progress bars) ends a piece, not a line:
   * all pieces have the number of the physical line. `terminated` is false for a last line without a line break.
   */
  line(text: string, number: number, terminated: boolean): void;
  /** A piece over the longest one read; it is skipped up to its end. */
  tooLong(number: number): void;
}

export interface LineSplitter {
  push(chunk: Uint8Array): void;
  end(): void;
}

/**
 * Splits bytes into lines at LF, CR LF and CR. Memory holds one piece of at most `maxChars` and one slice.
 * NUL characters (blocks of them are left by crashed file systems) are dropped. The output does not depend on the chunking.
 */
export function lineSplitter(consumer: LineConsumer, maxChars: number = MAX_LINE_CHARS): LineSplitter {
  const decoder = utf8Decoder();
  let pending = "";
  let skipping = false;
  let number = 1;

  function piece(text: string, terminated: boolean): void {
    if (skipping) {
      skipping = false;
      return;
    }
    if (text.length > maxChars) consumer.tooLong(number);
    else if (text !== "") consumer.line(text, number, terminated);
  }

  function hold(text: string): void {
    if (skipping) return;
    pending += text;
    if (pending.length <= maxChars) return;
    pending = "";
    skipping = true;
    consumer.tooLong(number);
  }

  function close(text: string, terminated: boolean): void {
    const whole = pending === "" ? text : pending + text;
    pending = "";
    piece(whole, terminated);
  }

  function feed(raw: string): void {
    const text = raw.includes("\0") ? raw.replaceAll("\0", "") : raw;
    let start = 0;
    let lineFeed = text.indexOf("\n");
    let carriageReturn = text.indexOf("\r");
    while (lineFeed >= 0 || carriageReturn >= 0) {
      const atReturn = lineFeed < 0 || (carriageReturn >= 0 && carriageReturn < lineFeed);
      const at = atReturn ? carriageReturn : lineFeed;
      close(text.slice(start, at), true);
      start = at + 1;
      if (atReturn) {
        carriageReturn = text.indexOf("\r", start);
      } else {
        number += 1;
        lineFeed = text.indexOf("\n", start);
      }
    }
    if (start < text.length) hold(text.slice(start));
  }

  return {
    push(chunk) {
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) feed(decoder.push(chunk.subarray(at, at + SLICE_BYTES)));
    },
    end() {
      feed(decoder.end());
      close("", false);
    },
  };
}
