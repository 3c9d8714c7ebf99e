import { router } from "../procedures.ts";
import { getSettings } from "./get.ts";
import { setSettings } from "./set.ts";

export const settingsRouter = router({ get: getSettings, set: setSettings });
