import { router } from "../procedures.ts";
import { seriesWindow } from "./window.ts";

export const seriesRouter = router({ window: seriesWindow });
