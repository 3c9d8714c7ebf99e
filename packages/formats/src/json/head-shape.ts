import { decodeUtf8 } from "../text/utf8-decoder.ts";
import { jsonReader } from "./json-reader.ts";
import { type JsonRow, type RowCollector, rowCollector } from "./json-row.ts";

/** What the beginning of a JSON document shows of its shape. */
export interface HeadShape {
  /** What stands outermost; null when it is no JSON. */
  readonly outer: "object" | "array" | null;
  /** Keys of the outermost object. */
  readonly keys: ReadonlySet<string>;
  /** Keys of the objects directly inside it. */
  readonly innerKeys: ReadonlySet<string>;
  /** Rows of an outermost array of objects. */
  readonly rows: readonly JsonRow[];
}

const MAX_KEYS = 1000;
const MAX_ROWS = 20;

/** Reads the shape of the first document in a head that may be cut. */
export function headShape(head: Uint8Array): HeadShape {
  let outer: HeadShape["outer"] = null;
  let depth = 0;
  let documents = 0;
  let row: RowCollector | undefined;
  const keys = new Set<string>();
  const innerKeys = new Set<string>();
  const rows: JsonRow[] = [];
  const reader = jsonReader({
    open(kind, line) {
      if (depth === 0) documents++;
      if (depth === 0) outer ??= kind;
      if (row !== undefined) row.open(kind);
      else if (depth === 1 && outer === "array" && documents === 1 && kind === "object" && rows.length < MAX_ROWS)
        row = rowCollector(line, (name) => name);
      depth++;
    },
    close() {
      depth--;
      const done = row?.close();
      if (done === undefined) return;
      rows.push(done);
      row = undefined;
    },
    key(name) {
      row?.key(name);
      if (outer !== "object" || documents > 1) return;
      if (depth === 1 && keys.size < MAX_KEYS) keys.add(name);
      else if (depth === 2 && innerKeys.size < MAX_KEYS) innerKeys.add(name);
    },
    scalar: (value) => row?.scalar(value),
    fault() {},
    resumed() {},
  });
  reader.push(decodeUtf8(head));
  return { outer, keys, innerKeys, rows };
}
