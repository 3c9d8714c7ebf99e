export { binaryQuery } from "./binary-query.ts";
export { copyRows } from "./copy-rows.ts";
export { createPool, inTransaction } from "./pool.ts";
