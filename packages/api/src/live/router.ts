import { router } from "../procedures.ts";
import { liveMoves } from "./moves.ts";

export const liveRouter = router({ moves: liveMoves });
