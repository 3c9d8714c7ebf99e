import { isUtf8 } from "node:buffer";
import { WireFault, type WireReader } from "./wire-reader.ts";

/** Text of a label. Bytes that are no UTF-8 become half of a surrogate pair, which the rules for labels refuse by series. */
function labelText(bytes: Buffer, from: number, to: number): string {
  const piece = bytes.subarray(from, to);
  return isUtf8(piece) ? piece.toString("utf8") : "\uD800";
}

/** The text of the field that `reader` has found. */
export function readText(reader: WireReader, end: number): string {
  const textEnd = reader.length(end);
  const text = labelText(reader.bytes, reader.at, textEnd);
  reader.at = textEnd;
  return text;
}

/** A symbol of a table that the request brings. */
export function symbolAt(symbols: readonly string[], reference: number): string {
  const symbol = symbols[reference];
  if (symbol === undefined) throw new WireFault(`reference ${reference} points beyond the ${symbols.length} symbols`);
  return symbol;
}
