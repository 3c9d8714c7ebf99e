import { router } from "../procedures.ts";
import { getPostTraining } from "./get.ts";

export const postTrainingRouter = router({ get: getPostTraining });
