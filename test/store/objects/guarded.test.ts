import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createSocketServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { createGuardedFetch, DownloadFault, type DownloadOptions } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GuardOptions } from "../../../packages/providers/src/download/guarded-fetch.ts";
import { listen } from "../../support/listen.ts";
import { pattern, readAll } from "./bytes.ts";
import { CERTIFICATE, KEY } from "./certificate.ts";

const FILE = pattern(200_000);
const LOOPBACK = ["127.0.0.1/32"];
const seen: { url: string; headers: Record<string, unknown> }[] = [];
let open = 0;

const listener: RequestListener = (request, response) => {
  const url = new URL(request.url ?? "", "http://x");
  seen.push({ url: url.pathname, headers: request.headers });
  const to = url.searchParams.get("to");
  if (to !== null)
    return void response
      .writeHead(Number(url.searchParams.get("status") ?? 302), { location: to })
      .end("moved");
  switch (url.pathname) {
    case "/file":
      return void response
        .writeHead(200, { "content-type": "image/png", "content-length": FILE.length })
        .end(FILE);
    case "/chunked":
      response.write(FILE.subarray(0, 100_000));
      return void response.end(FILE.subarray(100_000));
    case "/endless": {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", more);
      return more();
    }
    case "/bomb":
      return void response
        .writeHead(200, { "content-encoding": "gzip" })
        .end(gzipSync(Buffer.alloc(1_000_000)));
    case "/cut":
      response.writeHead(200, { "content-length": 1_000 }).write("abc", () => response.destroy());
      return;
    case "/stalled":
      return void response.writeHead(200).write("abc");
    case "/silent":
      return;
    default:
      return void response.writeHead(Number(url.pathname.slice(1)) || 404).end("<secret>");
  }
};

describe("a guarded fetch", () => {
  let plain: Awaited<ReturnType<typeof listen>>;
  let secure: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    const servers = [
      createServer(listener),
      createSecureServer({ key: KEY, cert: CERTIFICATE }, listener),
    ] as const;
    for (const server of servers)
      server.on("connection", (socket) => {
        open += 1;
        socket.on("close", () => {
          open -= 1;
        });
      });
    plain = await listen(servers[0]);
    secure = await listen(servers[1], "https");
  });
  afterAll(async () => {
    await plain.close();
    await secure.close();
  });

  const loopback = async () => [{ address: "127.0.0.1", family: 4 }];
  const get = (url: string, guard: GuardOptions = {}, options: Partial<DownloadOptions> = {}) =>
    createGuardedFetch({ allow: LOOPBACK, ca: CERTIFICATE, resolve: loopback, ...guard })(url, {
      limit: 1_000_000,
      http: true,
      ...options,
    });
  const fetchAll = async (...args: Parameters<typeof get>) => readAll((await get(...args)).stream);
  const named = (name = "files.example") => `https://${name}:${secure.port}`;

  it("a guarded fetch gets a file over https from the judged address, and reveals nothing about us", async () => {
    seen.length = 0;
    const download = await get(`${named()}/file?x=1#part`, {}, { http: false });
    expect(download).toMatchObject({ mediaType: "image/png", length: FILE.length });
    expect(await readAll(download.stream)).toEqual(FILE);
    expect(seen[0]?.headers).toEqual({
      host: `files.example:${secure.port}`,
      connection: "close",
      accept: "*/*",
      "accept-encoding": "identity",
      "user-agent": "manifold",
    });
    expect(await fetchAll(`${plain.origin}/chunked`)).toEqual(FILE);
  });

  it.each([
    "http://127.0.0.1",
    "http://2130706433",
    "http://0x7f.1",
    "http://0177.0.0.1",
    "http://127.1",
    "http://[::1]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://[::127.0.0.1]",
    "http://[64:ff9b::127.0.0.1]",
    "http://[2002:7f00:1::]",
    "http://0.0.0.0",
    "http://[::]",
    "http://localhost",
    "http://10.0.0.1",
    "http://169.254.169.254",
    "http://[fd00:ec2::254]",
    "http://[fe80::1]",
    "http://100.100.100.200",
  ])("a guarded fetch does not connect to %s", async (origin) => {
    seen.length = 0;
    const guarded = createGuardedFetch();
    const fetching = guarded(`${origin}:${plain.port}/file`, { limit: 10, http: true });
    await expect(fetching).rejects.toMatchObject({ code: "address_refused" });
    expect(seen).toEqual([]);
  });

  it("a guarded fetch refuses a name when any of its addresses is not public", async () => {
    seen.length = 0;
    const resolve = async () => [
      { address: "127.0.0.1", family: 4 },
      { address: "10.0.0.7", family: 4 },
    ];
    await expect(get(`${named()}/file`, { resolve })).rejects.toMatchObject({ code: "address_refused" });
    expect(seen).toEqual([]);
  });

  it("a guarded fetch resolves a name once, so that a second answer changes nothing", async () => {
    let asked = 0;
    const resolve = async () => [{ address: asked++ === 0 ? "127.0.0.1" : "10.0.0.7", family: 4 }];
    expect(await fetchAll(`${named()}/file`, { resolve })).toEqual(FILE);
    expect(asked).toBe(1);
  });

  it("a guarded fetch judges every redirect as the first address", async () => {
    const to = (location: string, status = 302) =>
      `${named()}/?status=${status}&to=${encodeURIComponent(location)}`;
    for (const status of [301, 302, 303, 307, 308])
      expect(await fetchAll(to(`${named("other.example")}/file`, status))).toEqual(FILE);
    expect(await fetchAll(to("/file"))).toEqual(FILE);
    for (const location of [
      `${plain.origin}/file`,
      "https://10.0.0.7/",
      "https://user:word@files.example/",
      "file:///etc/passwd",
      "https://files.example:22/",
      "https://",
    ])
      await expect(get(to(location))).rejects.toMatchObject({ code: "address_refused" });
    const resolve = async (name: string) => [
      { address: name === "files.example" ? "127.0.0.1" : "192.168.0.1", family: 4 },
    ];
    const inward = get(to(`${named("other.example")}/file`), { resolve });
    await expect(inward).rejects.toMatchObject({ code: "address_refused" });
  });

  it("a guarded fetch follows three redirects, and no fourth", async () => {
    const hop = (rest: string) => `/?to=${encodeURIComponent(rest)}`;
    expect(await fetchAll(named() + hop(hop(hop("/file"))))).toEqual(FILE);
    const fourth = get(named() + hop(hop(hop(hop("/file")))));
    await expect(fourth).rejects.toMatchObject({ code: "download_failed" });
  });

  it.each([
    "no address",
    "",
    "ftp://files.example/",
    "data:text/plain,x",
    "http://files.example/",
    "https://user@files.example/",
    "https://files.example:25/",
    `https://files.example/${"x".repeat(2_048)}`,
  ])("a guarded fetch refuses %j before anything is looked up", async (url) => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [];
    };
    await expect(get(url, { resolve }, { http: false })).rejects.toMatchObject({ code: "address_refused" });
    expect(asked).toBe(0);
  });

  it("a guarded fetch stops at the limit, announced or not", async () => {
    expect(await fetchAll(`${named()}/file`, {}, { limit: FILE.length })).toEqual(FILE);
    const announced = get(`${named()}/file`, {}, { limit: FILE.length - 1 });
    await expect(announced).rejects.toMatchObject({ code: "file_too_large" });
    for (const path of ["/chunked", "/endless"]) {
      const counted = fetchAll(named() + path, {}, { limit: FILE.length - 1 });
      await expect(counted).rejects.toMatchObject({ code: "file_too_large" });
    }
  });

  it.each(["/500", "/404", "/204", "/206", "/304", "/bomb", "/cut"])(
    "a guarded fetch does not take %s for a file",
    async (path) => {
      const fetching = fetchAll(named() + path);
      await expect(fetching).rejects.toMatchObject({
        code: "download_failed",
        message: "The file could not be fetched.",
      });
    },
  );

  it("a guarded fetch does not wait for a server or a name that is silent", async () => {
    const slow = ["/silent", "/stalled"].flatMap((path) => [
      fetchAll(named() + path, { whole: 100 }),
      fetchAll(named() + path, { idle: 100 }),
    ]);
    for (const fetching of slow.map((one) => one.catch((error) => error)))
      expect(await fetching).toMatchObject({ code: "timeout" });
    const resolve = () => new Promise<never>(() => {});
    await expect(get(`${named()}/file`, { resolve, whole: 50 })).rejects.toMatchObject({ code: "timeout" });
    await expect(get(`${named()}/file`, { resolve, connect: 50 })).rejects.toMatchObject({ code: "timeout" });
  });

  it("a guarded fetch fails the same way for names and servers that are not there", async () => {
    const nowhere = async () => {
      throw Object.assign(new Error("queryA ENOTFOUND files.example"), { code: "ENOTFOUND" });
    };
    const faults = await Promise.all([
      get(`${named()}/file`, { resolve: nowhere }).catch((error) => error),
      get(`${named()}/file`, { resolve: async () => [] }).catch((error) => error),
      get("https://files.example:1025/file").catch((error) => error),
      get(`${named("wrong.example")}/file`).catch((error) => error),
    ]);
    for (const fault of faults) {
      expect(fault).toBeInstanceOf(DownloadFault);
      expect([fault.code, fault.message]).toEqual(["download_failed", "The file could not be fetched."]);
    }
  });

  it("a guarded fetch ends when its reader leaves or its caller cancels", async () => {
    const download = await get(`${named()}/endless`);
    const reader = download.stream.getReader();
    await reader.read();
    await reader.cancel();
    const caller = new AbortController();
    const given = await get(
      `${named()}/endless`,
      {},
      { signal: caller.signal, limit: Number.MAX_SAFE_INTEGER },
    );
    caller.abort();
    await expect(readAll(given.stream)).rejects.toMatchObject({ code: "download_failed" });
    await expect(get(`${named()}/file`, {}, { signal: caller.signal })).rejects.toMatchObject({
      code: "download_failed",
    });
    await expect.poll(() => open).toBe(0);
  });
});

/** Runs `use` with the address of a server that answers each connection by `answer`. */
async function withAnswers(answer: (socket: Socket) => void, use: (url: string) => Promise<void>) {
  const server = createSocketServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/file`);
  } finally {
    server.close();
    await once(server, "close");
  }
}

describe("a connection that ends with its file", () => {
  const fetchFile = createGuardedFetch({ allow: LOOPBACK });
  const head = (length?: number) =>
    `HTTP/1.1 200 OK\r\n${length === undefined ? "" : `content-length: ${length}\r\n`}\r\n`;

  it.each([
    ["its length was given", true],
    ["nothing but the close ends it", false],
  ])("a file stays whole for a slow reader where %s, 200 times", async (_, announced) => {
    // More than one read of the socket and less than its reader is ahead: the parser may pause behind the last byte.
    const sizes = Array.from({ length: 200 }, (_, i) => 60_000 + 400 * i);
    let closed: Promise<unknown> = Promise.resolve();
    let size = 0;
    const answer = (socket: Socket) => {
      closed = once(socket, "close");
      socket.write(head(announced ? size : undefined));
      socket.end(FILE.subarray(0, size));
    };
    await withAnswers(answer, async (url) => {
      for (size of sizes) {
        const { stream } = await fetchFile(url, { limit: FILE.length, http: true });
        await closed;
        expect(await readAll(stream)).toHaveLength(size);
      }
    });
  });

  it.each([
    ["its length was given", true],
    ["nothing but the close would end it", false],
  ])("a connection that is reset before the end and %s is a failure", async (_, announced) => {
    const answer = (socket: Socket) => {
      socket.write(head(announced ? FILE.length : undefined));
      socket.write(FILE.subarray(0, 100_000), () => socket.resetAndDestroy());
    };
    await withAnswers(answer, async (url) => {
      const file = fetchFile(url, { limit: FILE.length, http: true }).then(({ stream }) => readAll(stream));
      await expect(file).rejects.toMatchObject({ code: "download_failed" });
    });
  });
});
