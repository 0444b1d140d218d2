/** The worker's two doors: the socket for our own programs, the guarded port for everyone else. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import {
  ensureBuilt,
  runHook,
  startWorker,
  statusOf,
  toolPayload,
  type WorkerProcess,
  waitForStored,
} from "../support/programs.ts";
import { count } from "../support/store.ts";
import { type Place, usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();
let place: Place;
let worker: WorkerProcess;
let port: number;
let token: string;

beforeAll(async () => {
  await ensureBuilt();
  place = newPlace("doors");
  worker = await startWorker(place);
  port = Number(readFileSync(place.paths.port, "utf8"));
  token = readFileSync(place.paths.token, "utf8").trim();
});
afterAll(async () => {
  await worker.stop();
});

type Answer = { status: number; body: string; headers: Headers };

async function ask(
  route: string,
  headers: Record<string, string> = {},
  method = "GET",
  body?: string,
): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${route}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: await response.text(), headers: response.headers };
}

const withToken = () => ({ authorization: `Bearer ${token}` });

describe("over TCP", () => {
  test("it listens on loopback alone, at the recorded port", async () => {
    expect(port).toBeGreaterThan(0);
    expect((await statusOf(place))?.port).toBe(port);
    const hex = port.toString(16).toUpperCase().padStart(4, "0");
    const listening = readFileSync("/proc/net/tcp", "utf8")
      .split("\n")
      .filter((line) => line.includes(`:${hex} 00000000:0000 0A`));
    expect(listening.map((line) => line.trim().split(/\s+/)[1])).toEqual([`0100007F:${hex}`]);
  });

  test("SE-02: everything but GET /health needs the token", async () => {
    expect((await ask("/health")).status).toBe(200);
    for (const route of ["/api/health", "/api/readiness", "/api/status", "/none", "/"]) {
      expect({ route, status: (await ask(route)).status }).toEqual({ route, status: 401 });
    }
    for (const authorization of [
      "",
      "Bearer",
      "Bearer ",
      `Bearer ${"0".repeat(64)}`,
      `bearer ${token}`,
      token,
      `Basic ${token}`,
    ]) {
      expect((await ask("/api/status", { authorization })).status).toBe(401);
    }
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
      expect((await ask("/health", {}, method)).status).toBe(401);
    expect((await ask("/api/stop", {}, "POST", "{}")).status).toBe(401);
  });

  test("with the token it answers", async () => {
    expect(JSON.parse((await ask("/api/status", withToken())).body)).toMatchObject({
      status: "ok",
      ready: true,
      pid: worker.pid,
    });
    expect(JSON.parse((await ask("/api/readiness", withToken())).body)).toEqual({ status: "ready" });
    const none = await ask("/api/none", withToken());
    expect([none.status, JSON.parse(none.body).error]).toEqual([404, "There is no GET /api/none."]);
  });

  test.each<[string, Record<string, string>]>([
    ["SE-04: a foreign host", { host: "evil.example" }],
    ["SE-04: a foreign host with our port", { host: "evil.example:PORT" }],
    ["a name that only begins like ours", { host: "127.0.0.1.evil.example:PORT" }],
    ["another port", { host: "127.0.0.1:1" }],
    ["no port", { host: "127.0.0.1" }],
    ["SE-03: a foreign origin", { origin: "https://evil.example" }],
    ["an origin of another port", { origin: "http://127.0.0.1:1" }],
    ["the origin of a file", { origin: "null" }],
  ])("%s is refused, even with the token, even at /health", async (_, headers) => {
    const filled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("PORT", String(port))]),
    );
    for (const route of ["/health", "/api/status"]) {
      const answer = await ask(route, { ...withToken(), ...filled });
      expect({ route, status: answer.status }).toEqual({ route, status: 403 });
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
    const stop = await ask(
      "/api/stop",
      { ...withToken(), ...filled, "content-type": "text/plain" },
      "POST",
      "{}",
    );
    expect(stop.status).toBe(403);
    expect((await statusOf(place))?.pid).toBe(worker.pid);
  });

  test("no answer holds the token", async () => {
    for (const route of ["/health", "/api/status", "/api/health", "/none"])
      expect((await ask(route, withToken())).body).not.toContain(token);
  });

  test("a body of any size is no harm", async () => {
    const answer = await ask("/api/none", withToken(), "POST", "x".repeat(6 * 1024 * 1024)).catch(() => null);
    expect([404, 413, undefined]).toContain(answer?.status);
    expect((await statusOf(place))?.pid).toBe(worker.pid);
  });
});

test("over the socket no token is needed, and the socket is the owner's alone", async () => {
  const response = await fetch("http://x/api/readiness", { unix: place.paths.socket });
  expect(await response.json()).toEqual({ status: "ready" });
});

describe("ports", () => {
  test("two workers of two data directories each have their own", async () => {
    const other = newPlace("doors");
    const second = await startWorker(other);
    expect((await statusOf(other))?.port).not.toBe(port);
    await second.stop();
  });

  test("a fixed port that is taken: a clear line, and everything but TCP works", async () => {
    const taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
    const other = newPlace("doors");
    const second = await startWorker(other, { env: { CLAUDE_MEM_WORKER_PORT: String(taken.port) } });
    await runHook(other, "PostToolUse", toolPayload(other, "a"));
    await waitForStored(other);
    expect((await statusOf(other))?.port).toBeNull();
    expect(count(other, "events")).toBe(1);
    const day = new Date().toISOString().slice(0, 10);
    expect(readFileSync(`${other.paths.logs}/worker-${day}.log`, "utf8")).toContain(`Port ${taken.port}`);
    await second.stop();
    taken.stop(true);
  });

  test("the default port that is taken: another one", async () => {
    // Where the default is free on this machine the first takes it; the second has to give way in any case.
    const places = [newPlace("doors"), newPlace("doors")];
    const workers = [];
    for (const each of places) workers.push(await startWorker(each, { env: { CLAUDE_MEM_WORKER_PORT: "" } }));
    const ports = await Promise.all(places.map(async (each) => (await statusOf(each))?.port));
    expect(ports.every((one) => typeof one === "number" && one > 0)).toBe(true);
    expect(new Set(ports).size).toBe(2);
    for (const each of workers) await each.stop();
  });
});
