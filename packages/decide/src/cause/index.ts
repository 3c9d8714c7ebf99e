export type { CauseInput, KnownFact } from "./contract.ts";
export { hardwareShare, rankCauses } from "./rank-causes.ts";
export { weighAlike } from "./weigh-alike.ts";
export { accusedName, sayCause } from "./cause-words.ts";
