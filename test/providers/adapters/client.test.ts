import { createServer, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { createLineClient, createTransport } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../../support/listen.ts";

const answers: Record<string, (response: ServerResponse, body: string) => void> = {
  "/echo": (response, body) => response.writeHead(200, { "retry-after": "3", "x-a": ["1", "2"] }).end(body),
  "/none": (response) => response.writeHead(204).end(),
  "/packed": (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("film")),
  "/away": (response) => response.writeHead(302, { location: "/echo" }).end(),
  "/cut": (response) => void response.writeHead(200).write("fi", () => response.destroy()),
  "/endless": (response) => {
    const write = (): void => {
      if (response.destroyed) return;
      if (response.write("x".repeat(65_536))) setImmediate(write);
      else response.once("drain", write);
    };
    response.writeHead(200);
    response.on("close", () => closed());
    write();
  },
  "/silent": () => {},
};
let closed = (): void => {};
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  answers[request.url ?? ""]?.(response, body);
});
const transport = createTransport();
const client = createLineClient(transport);
let origin = "";
beforeAll(async () => {
  origin = (await listen(server)).origin;
});
afterAll(async () => {
  await transport.close();
  server.closeAllConnections();
  server.close();
});

describe("the client of an adapter", () => {
  test("the client hands on bodies and headers", async () => {
    const form = new FormData();
    form.append("image[]", new Blob(["bytes"], { type: "image/png" }), "a.png");
    const response = await client.post(`${origin}/echo`, { body: form });
    expect(response.headers.get("retry-after")).toBe("3");
    expect(response.headers.get("x-a")).toBe("1, 2");
    expect(await response.text()).toMatch(
      /name="image\[\]"; filename="a.png"\r\nContent-Type: image\/png\r\n\r\nbytes/,
    );
  });

  test("the client unpacks answers, and an empty one stays empty", async () => {
    const packed = await client.get(`${origin}/packed`);
    expect(packed.headers.get("content-encoding")).toBeNull();
    expect(await packed.text()).toBe("film");
    expect(await (await client.get(`${origin}/none`)).text()).toBe("");
  });

  test("the client follows no redirect, and reports an answer that is cut", async () => {
    await expect(client.get(`${origin}/away`)).rejects.toMatchObject({ kind: "redirect" });
    const response = await client.get(`${origin}/cut`);
    await expect(response.text()).rejects.toMatchObject({ kind: "reset" });
  });

  test("the client stops an answer that is no longer read", async () => {
    const stopped = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const response = await client.get(`${origin}/endless`);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
    await stopped;
  });

  test("the client is cancelled before and after the answer begins", async () => {
    const early = AbortSignal.timeout(20);
    await expect(client.get(`${origin}/silent`, { signal: early })).rejects.toThrow();
    const late = new AbortController();
    const response = await client.get(`${origin}/endless`, { signal: late.signal });
    const reading = response.text();
    late.abort();
    await expect(reading).rejects.toThrow();
  });
});
