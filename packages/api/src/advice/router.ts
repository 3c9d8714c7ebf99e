import { router } from "../procedures.ts";
import { propose } from "./propose.ts";

export const adviceRouter = router({ propose });
