import { router } from "../procedures.ts";
import { createToken } from "./create.ts";
import { listTokens } from "./list.ts";
import { revokeToken } from "./revoke.ts";

export const tokensRouter = router({ list: listTokens, create: createToken, revoke: revokeToken });
