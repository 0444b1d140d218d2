/** Opening the two doors. */
import { chmodSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { ensureDir } from "../env/files.ts";
import { type AppParts, createApp } from "./app.ts";

type Server = ReturnType<typeof Bun.serve>;
const MAX_BODY = 5 * 1024 * 1024;
/** An answer under way is out long before; a client that has sent half a request would wait for ever. */
const CLOSE_MS = 500;

/** Serves on the Unix socket, replacing what a dead worker left. The caller holds the lock, so nobody else serves there. */
export function listenOnSocket(path: string, parts: AppParts): Server {
  if (process.platform !== "win32") {
    ensureDir(dirname(path));
    chmodSync(dirname(path), 0o700);
    rmSync(path, { force: true });
  }
  const app = createApp(parts, { via: "socket", port: null });
  const server = Bun.serve({
    unix: path,
    maxRequestBodySize: MAX_BODY,
    fetch: (request) => app.fetch(request),
  });
  if (process.platform !== "win32") chmodSync(path, 0o600);
  return server;
}

/**
 * Serves on loopback TCP at `port`, or at a free one where that is taken and not `fixed` by the user. Answers
 * `null` where no port could be had; everything but TCP still works then.
 */
export function listenOnPort(
  at: { host: string; port: number; fixed: boolean },
  parts: AppParts,
  onTaken: (why: string) => void,
): { server: Server; port: number } | null {
  for (const port of at.fixed ? [at.port] : [at.port, 0]) {
    try {
      const door = { via: "tcp" as const, port: port as number | null };
      const app = createApp(parts, door);
      const server = Bun.serve({
        hostname: at.host,
        port,
        maxRequestBodySize: MAX_BODY,
        fetch: (request) => app.fetch(request),
      });
      door.port = server.port ?? null;
      return { server, port: server.port ?? port };
    } catch (error) {
      onTaken(`Port ${port} on ${at.host} cannot be used (${(error as Error).message}).`);
    }
  }
  return null;
}

/** Lets the answers under way go out, then cuts what is still open. */
export async function closeServer(server: Server): Promise<void> {
  await Promise.race([server.stop(), Bun.sleep(CLOSE_MS)]);
  await server.stop(true);
}
