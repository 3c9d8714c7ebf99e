export { copyRows } from "./copy-rows.ts";
export { isConnectionLoss } from "./connection-loss.ts";
export { explainDatabase } from "./database-fault.ts";
export { createPool, inTransaction } from "./pool.ts";
export { literal, readRows } from "./read-rows.ts";
