import { router } from "../procedures.ts";
import { detectorCatalogue } from "./catalogue.ts";
import { getDetectorHealth } from "./health.ts";
import { detectorPrecision } from "./precision.ts";

export const detectorsRouter = router({ catalogue: detectorCatalogue, precision: detectorPrecision, health: getDetectorHealth });
