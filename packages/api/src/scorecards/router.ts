import { router } from "../procedures.ts";
import { attachScorecard } from "./attach.ts";
import { getScorecard } from "./get.ts";
import { listScorecards } from "./list.ts";
import { trend } from "./trend.ts";

export const scorecardsRouter = router({ list: listScorecards, get: getScorecard, trend, attach: attachScorecard });
