import { actorOfHeader, ERROR_EDGES, isAllowed, scopeMissing, tokenMissing } from "@trainwatch/api";
import type { AppError, ErrorCode } from "@trainwatch/core";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { explainHttp } from "../http/error-handler.ts";
import type { AppServices } from "../http/services.ts";
import { createByteGate } from "./byte-gate.ts";
import { createFleetIntake } from "./fleet-intake.ts";
import { createReceiverCounters } from "./receiver-counters.ts";
import type { Receiver, ReceiverAnswer } from "./receiver.ts";
import { createReceivers } from "./registry.ts";

/** Inflated, of all requests that are being stored at a time. */
const MOST_INFLATED_BYTES = 256 * 1024 * 1024;
const RETRY_AFTER_S: Partial<Record<ErrorCode, number>> = { unavailable: 5, "rate-limited": 10 };

declare module "fastify" {
  interface FastifyRequest {
    /** Token and address of who sends readings; set before the body is read. */
    sender: string;
  }
}

/** Mounts every receiver at its path. Who may not send, and what nobody here can read, is told before the body is read. */
export async function registerReceivers(app: FastifyInstance, services: AppServices): Promise<void> {
  const intake = createFleetIntake(services.fleetIngest);
  const counters = createReceiverCounters(services.metrics.registry);
  const memory = createByteGate(MOST_INFLATED_BYTES);
  await app.register(async (all) => {
    all.decorateRequest("sender", "");
    for (const receiver of createReceivers()) {
      await all.register(async (scope) => {
        scope.setErrorHandler<FastifyError | AppError>((error, request, reply) => refuse(receiver, error, request, reply));
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
        scope.addHook("preParsing", async (request, reply) => {
          await admit(receiver, request, services);
          const reason = receiver.unsupported(request.headers);
          if (reason !== null) return send(reply, receiver.refuse({ status: 415, message: reason, retryAfterS: null }, request.headers));
        });
        // Encodings are the receiver's own: the plugin knows no snappy, and would inflate gzip without a limit of its own.
        const options = { bodyLimit: receiver.bodyLimitBytes, decompress: false, compress: false } as const;
        scope.post(receiver.path, options, async (request, reply) => {
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const received = { headers: request.headers, body, sender: request.sender };
          return send(reply, await receiver.receive(received, { intake, counters, memory }));
        });
      });
    }
  });
}

/**
 * By bearer token only: nothing that sends by these protocols is a browser.
 * @throws AppError `unauthenticated` or `forbidden`
 */
async function admit({ id, path }: Receiver, request: FastifyRequest, { store, now, clients }: AppServices): Promise<void> {
  const { authorization } = request.headers;
  if (authorization === undefined) throw tokenMissing();
  const actor = await actorOfHeader(store.records, authorization, now());
  if (actor.tokenId !== null) clients.proved(request, actor.tokenId);
  if (!isAllowed(actor, "ingest")) throw scopeMissing(actor, "ingest", path);
  request.sender = `${id} ${actor.tokenId ?? actor.name} ${request.ip}`;
}

function refuse(receiver: Receiver, error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const explained = explainHttp(error, request);
  if (explained.code === "internal") request.log.error({ err: error }, "a receiver failed");
  if (explained.code === "unauthenticated") void reply.header("www-authenticate", 'Bearer realm="trainwatch"');
  const { http } = ERROR_EDGES[explained.code];
  const retryAfterS = RETRY_AFTER_S[explained.code] ?? null;
  return send(reply, receiver.refuse({ status: http, message: explained.message, retryAfterS }, request.headers));
}

function send(reply: FastifyReply, { status, headers, body }: ReceiverAnswer): FastifyReply {
  return reply
    .status(status)
    .headers(headers)
    .send(body ?? undefined);
}
