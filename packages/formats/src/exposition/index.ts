export type * from "./contract.ts";
export { EXPOSITION_TYPES } from "./contract.ts";
export { expositionFormatOf, expositionParser } from "./parser.ts";
