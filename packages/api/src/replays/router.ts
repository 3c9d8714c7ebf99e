import { router } from "../procedures.ts";
import { recordReplay } from "./record.ts";

export const replaysRouter = router({ record: recordReplay });
