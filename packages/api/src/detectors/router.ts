import { router } from "../procedures.ts";
import { detectorCatalogue } from "./catalogue.ts";
import { detectorPrecision } from "./precision.ts";

export const detectorsRouter = router({ catalogue: detectorCatalogue, precision: detectorPrecision });
