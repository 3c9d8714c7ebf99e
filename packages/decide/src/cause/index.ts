export type { CauseInput, KnownFact } from "./contract.ts";
export { hardwareShare, rankCauses } from "./rank-causes.ts";
export { accusedName, sayCause, sayShare } from "./cause-words.ts";
