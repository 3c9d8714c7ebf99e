import { ingestVerb, router } from "../procedures.ts";

export const ingestRouter = router({ push: ingestVerb.mutation(() => null) });
