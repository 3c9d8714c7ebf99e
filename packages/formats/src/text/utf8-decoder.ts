/** The one WHATWG class used here: pure, and the same in Node and in browsers. Declared locally because pure packages see no host types. */
declare const TextDecoder: new (label: "utf-8") => {
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
};

export interface Utf8Decoder {
  /** Text of the bytes so far; a character cut by the chunk's end waits for the next chunk. Bad bytes become U+FFFD. */
  push(bytes: Uint8Array): string;
  /** What was held back: U+FFFD for a character cut by the end. */
  end(): string;
}

/** Decodes UTF-8 in pieces. The text is the same whatever the chunking; a byte order mark at the start is dropped. */
export function utf8Decoder(): Utf8Decoder {
  const decoder = new TextDecoder("utf-8");
  return {
    push: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  };
}

/** Without `stream` a decoder keeps nothing from call to call. */
const whole = new TextDecoder("utf-8");

/** Text of whole bytes at once: a head for sniffing, a name inside a record; a byte order mark is dropped. */
export function decodeUtf8(bytes: Uint8Array): string {
  return whole.decode(bytes);
}
