import { router } from "../procedures.ts";
import { listNotices } from "./list.ts";

export const noticesRouter = router({ list: listNotices });
