import { AppError } from "@trainwatch/core";
import { namedLabels } from "./label-rules.ts";
import { readText, symbolAt } from "./label-text.ts";
import type { ReadLabels, SeriesText } from "./labelled-readings.ts";
import { RemoteWriteColumns, type RemoteWriteRequest } from "./remote-write-columns.ts";
import { WIRE, WireFault, WireReader } from "./wire-reader.ts";

const REQUEST = { symbols: 4, timeseries: 5 } as const;
const SERIES = { labelsRefs: 1, samples: 2, histograms: 3, exemplars: 4, metadata: 5 } as const;
/** References are a second compression: a long symbol costs one byte each time it is named again. Real symbols have some bytes each. */
const MOST_LABEL_CHARACTERS = 64 * 1024 * 1024;
const MOST_SYMBOLS = 1_000_000;

/**
 * Reads `io.prometheus.write.v2.Request` of remote-write 2.0. References mean something within one request only, so the key of a series is
 * the text they stand for. Start timestamps are read over: a counter's reset is seen by its fall.
 * @throws WireFault where the bytes are none, or a reference points at no symbol
 * @throws AppError `too-large` where it becomes so when its labels are written out
 */
export function readRemoteWriteV2(bytes: Buffer): RemoteWriteRequest {
  const reader = new WireReader(bytes);
  const columns = new RemoteWriteColumns();
  const end = bytes.length;
  const symbols: string[] = [];
  const seriesAt: number[] = [];
  while (reader.next(end)) {
    if (reader.field === REQUEST.symbols) {
      if (symbols.length >= MOST_SYMBOLS) throw tooLarge(`has more than ${MOST_SYMBOLS} symbols`);
      symbols.push(readText(reader, end));
    } else if (reader.field === REQUEST.timeseries) {
      const seriesEnd = reader.length(end);
      seriesAt.push(reader.at, seriesEnd);
      reader.at = seriesEnd;
    } else reader.skip(end);
  }
  if (symbols.length > 0 && symbols[0] !== "") throw new WireFault("the first symbol is not the empty text");
  const keys = symbols.map((symbol) => `${symbol.length}:${symbol}`);
  // Only now: nothing says that the symbols stand before the series that refer to them.
  const table: Symbols = { symbols, keys, charactersLeft: MOST_LABEL_CHARACTERS };
  for (let index = 0; index < seriesAt.length; index += 2) {
    reader.at = seriesAt[index] ?? 0;
    readSeries(reader, seriesAt[index + 1] ?? 0, table, columns);
  }
  return columns;
}

interface Symbols {
  readonly symbols: readonly string[];
  /** Each with its length before it, so that no two lists of symbols make the same key. */
  readonly keys: readonly string[];
  /** Of the keys that the request may still ask for. */
  charactersLeft: number;
}

/** @throws AppError `too-large` where the labels come to more than a request may have */
function readReference(reader: WireReader, symbols: Symbols): number {
  const reference = reader.uint32();
  symbols.charactersLeft -= symbolAt(symbols.keys, reference).length;
  if (symbols.charactersLeft < 0) throw tooLarge(`has labels of more than ${MOST_LABEL_CHARACTERS} characters when they are written out`);
  return reference;
}

function tooLarge(what: string): AppError {
  return new AppError("too-large", `The request ${what}. Send fewer samples a request.`);
}

function readSeries(reader: WireReader, end: number, symbols: Symbols, columns: RemoteWriteColumns): void {
  const references: number[] = [];
  const series = columns.next;
  while (reader.next(end)) {
    if (reader.field === SERIES.labelsRefs) readReferences(reader, end, symbols, references);
    else if (reader.field === SERIES.samples) columns.readSample(reader, reader.length(end), series);
    else {
      if (reader.field === SERIES.histograms) columns.histograms++;
      else if (reader.field === SERIES.exemplars) columns.exemplars++;
      else if (reader.field === SERIES.metadata) columns.metadata++;
      reader.skip(end);
    }
  }
  if (references.length % 2 === 1) throw new WireFault("a series has an odd number of label references");
  if (columns.isNextWanted) columns.series.push(new SeriesOfV2(references, symbols));
}

/** Packed into one field, as every encoder does, or one field each, as the format also allows. */
function readReferences(reader: WireReader, end: number, symbols: Symbols, references: number[]): void {
  if (reader.kind === WIRE.varint) {
    references.push(readReference(reader, symbols));
    return;
  }
  const last = reader.length(end);
  while (reader.at < last) references.push(readReference(reader, symbols));
  if (reader.at > last) throw new WireFault("label references reach beyond their field");
}

/** These keys begin with a digit, those of 1.0 with the tag 0x0a of their first label: neither is taken for the other. */
class SeriesOfV2 implements SeriesText {
  readonly key: string;
  readonly #references: readonly number[];
  readonly #symbols: readonly string[];

  constructor(references: readonly number[], { symbols, keys }: Symbols) {
    let key = "";
    for (const reference of references) key += symbolAt(keys, reference);
    this.key = key;
    this.#references = references;
    this.#symbols = symbols;
  }

  labels(): ReadLabels {
    return namedLabels(
      Array.from({ length: this.#references.length / 2 }, (_, index) => [
        symbolAt(this.#symbols, this.#references[2 * index] ?? 0),
        symbolAt(this.#symbols, this.#references[2 * index + 1] ?? 0),
      ]),
    );
  }
}
