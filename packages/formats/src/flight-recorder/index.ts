export { type DumpOutcome, rankOfDumpName, readFlightRecorderDump } from "./read-dump.ts";
