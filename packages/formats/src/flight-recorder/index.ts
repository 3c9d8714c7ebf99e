export { looksLikeDump, MAX_DUMP_BYTES, readDumpBytes } from "./dump-bytes.ts";
export { type PickleOutcome, type PickleValue, readPickle } from "./pickle/read-pickle.ts";
export { type DumpOutcome, rankOfDumpName, readFlightRecorderDump } from "./read-dump.ts";
