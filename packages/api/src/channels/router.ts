import { router } from "../procedures.ts";
import { createChannel } from "./create.ts";
import { deleteChannel } from "./delete.ts";
import { channelHealth } from "./health.ts";
import { listChannels } from "./list.ts";
import { testChannel } from "./test.ts";
import { updateChannel } from "./update.ts";

export const channelsRouter = router({
  list: listChannels,
  create: createChannel,
  update: updateChannel,
  delete: deleteChannel,
  test: testChannel,
  health: channelHealth,
});
