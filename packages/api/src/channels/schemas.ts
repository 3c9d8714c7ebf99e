import { channelSchema, scopeOfSchema, textSchema } from "@trainwatch/core";
import { z } from "zod";
import { idInput } from "../page-input.ts";

/** Signs what goes to a webhook. Short ones can be guessed from a signature. */
const secret = textSchema.min(16, "must have at least 16 characters; `openssl rand -hex 24` makes a good one").max(256);

export const channelInput = z.object({ channelId: idInput });

export const createChannelInput = channelSchema.extend({ secret: secret.nullable().default(null) });

const { name, url, minSeverity, enabled } = channelSchema.shape;

/** What is left out stays as it is, the address and the secret too: they are never answered, and need not be given again. A null secret takes it away. */
export const updateChannelInput = channelInput.extend({
  name: name.optional(),
  url: url.optional(),
  minSeverity: minSeverity.unwrap().optional(),
  enabled: enabled.unwrap().optional(),
  scope: scopeOfSchema.optional(),
  secret: secret.nullable().optional(),
});
