import type { FastifyReply, FastifyRequest } from "fastify";

/** Cookies do not tell ports apart: without the port in the name two servers on one machine would sign each other out. */
export function sessionCookieName(port: number): string {
  return `trainwatch_session_${port}`;
}

export interface SessionCookie {
  read(request: FastifyRequest): string | null;
  write(reply: FastifyReply, sessionId: string, maxAgeS: number): void;
  clear(reply: FastifyReply): void;
}

/** @param secure set where people come in over HTTPS; on plain loopback a browser would refuse a Secure cookie */
export function sessionCookie(port: () => number, secure: boolean): SessionCookie {
  const attributes = { httpOnly: true, sameSite: "strict", path: "/", secure } as const;
  return {
    read: (request) => request.cookies[sessionCookieName(port())] ?? null,
    write: (reply, sessionId, maxAgeS) => void reply.setCookie(sessionCookieName(port()), sessionId, { ...attributes, maxAge: maxAgeS }),
    clear: (reply) => void reply.clearCookie(sessionCookieName(port()), attributes),
  };
}
