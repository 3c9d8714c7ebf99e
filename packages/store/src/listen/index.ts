export { openChannel, type Channel, type ChannelOptions } from "./channel.ts";
