export type { CauseInput, KnownFact } from "./contract.ts";
export { hardwareShare, rankCauses } from "./rank-causes.ts";
export { sayCause, sayShare } from "./cause-words.ts";
