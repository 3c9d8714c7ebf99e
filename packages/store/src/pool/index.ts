export { copyRows } from "./copy-rows.ts";
export { isConnectionLoss } from "./connection-loss.ts";
export { explainDatabase } from "./database-fault.ts";
export { numberArray } from "./number-array.ts";
export { createPool, inTransaction } from "./pool.ts";
export { type RowReader, literal, readRows } from "./read-rows.ts";
