export { quoteBareNonFinite } from "./bare-non-finite.ts";
export { parsePush } from "./parse-push.ts";
export type { ParsedPush } from "./parsed-push.ts";
export { type PushContext, pushSamples } from "./push.ts";
