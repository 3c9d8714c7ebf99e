import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/**
 * Headers that keep the page to itself. Charts and menus place themselves with style attributes, hence `unsafe-inline` for styles
 * (and for nothing else). HSTS only where people come in over HTTPS: on loopback it would lock the browser out of other tools.
 */
export async function registerSecurity(
  app: FastifyInstance,
  options: { readonly scriptHashes: () => readonly string[]; readonly https: boolean },
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: [() => ["'self'", ...options.scriptHashes()].join(" ")],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", "blob:"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: options.https,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: "same-origin" },
  });
}
