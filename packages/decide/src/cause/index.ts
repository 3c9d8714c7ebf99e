export type { CauseInput, KnownFact, RankCauses } from "./contract.ts";
export { hardwareShare, rankCauses } from "./rank-causes.ts";
export { afterFactor, agreementRatio } from "./agreement.ts";
export { sayCause, sayShare } from "./cause-words.ts";
export { PRIORS, troubleOf } from "./trouble.ts";
export type { Trouble } from "./trouble.ts";
