/** Who may call. Loopback is no border: other users and any web page reach a TCP port. */
import { timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";

export type Door = { via: "socket" | "tcp"; port: number | null };

/**
 * Requests over the socket are trusted (its folder is the owner's alone). Over TCP: a loopback `Host` with our
 * port, no foreign `Origin`, and the token on everything but `GET /health`.
 */
export function guard(door: Door, token: string): MiddlewareHandler {
  return async (context, next) => {
    if (door.via === "socket") return next();
    const host = context.req.header("host") ?? "";
    if (!isLoopbackHost(host, door.port))
      return context.json({ error: "This host name is not served here." }, 403);
    const origin = context.req.header("origin");
    if (origin !== undefined && origin !== `http://${host}`) {
      return context.json({ error: "Requests from other origins are refused." }, 403);
    }
    if (context.req.path === "/health" && context.req.method === "GET") return next();
    if (!sameText(context.req.header("authorization") ?? "", `Bearer ${token}`)) {
      return context.json({ error: "A token is needed; it is in the data directory's token file." }, 401);
    }
    return next();
  };
}

function isLoopbackHost(host: string, port: number | null): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].some((name) => host === `${name}:${port}`);
}

function sameText(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}
