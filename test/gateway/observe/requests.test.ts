import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Desk, openDesk } from "../account/desk.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const MADE = /^[0-9a-f]{32}$/;

describe("the id of a request", () => {
  it("a request id comes back as it came, and stands in the log", async () => {
    const id = fc.string({ minLength: 1, maxLength: 128, unit: fc.constantFrom(..."azAZ09_.:@/+=-") });
    await fc.assert(
      fc.asyncProperty(
        id,
        fc.constantFrom("/openapi.json", "/api/v1/ai/models", "/nowhere"),
        async (name, path) => {
          const { headers } = await desk.send("GET", path, { headers: { "x-request-id": name } });
          expect(headers.get("x-request-id")).toBe(name);
          expect(JSON.parse(desk.lines.at(-1)!).request).toBe(name);
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each(["", "a b", "ä", "x".repeat(129), "<script>", "a,b"])(
    "a request id is made anew instead of %o",
    async (name) => {
      const { headers } = await desk.send("GET", "/health", { headers: { "x-request-id": name } });
      expect(headers.get("x-request-id")).toMatch(MADE);
    },
  );

  it("a request id is unique to its request, on refusals too", async () => {
    const ids = new Set<string | null>();
    for (const path of ["/health", "/nowhere", "/api/v1/ai/models", "/api/chatstyle/v1/models"])
      ids.add((await desk.send("GET", path)).headers.get("x-request-id"));
    expect(ids.size).toBe(4);
    for (const id of ids) expect(id).toMatch(MADE);
  });
});

describe("the service", () => {
  it("the service is up and ready", async () => {
    expect((await desk.send("GET", "/health")).body).toEqual({ status: "up" });
    expect((await desk.send("GET", "/ready")).body).toEqual({ status: "ready" });
  });

  it("the service shows its documents to anyone, and again only where they changed", async () => {
    for (const path of ["/openapi.json", "/docs"]) {
      const first = await desk.send("GET", path);
      expect([first.status, first.headers.get("cache-control")]).toEqual([200, "public, max-age=300"]);
      const etag = first.headers.get("etag")!;
      const again = await desk.send("GET", path, { headers: { "if-none-match": etag } });
      expect([again.status, again.text]).toEqual([304, ""]);
    }
  });

  it("the API page names every operation, fetches nothing and runs nothing", async () => {
    const { text, headers } = await desk.send("GET", "/docs");
    const { body } = await desk.send("GET", "/openapi.json");
    for (const item of Object.values<Record<string, { operationId: string }>>(body.paths))
      for (const { operationId } of Object.values(item))
        expect(text).toContain(`<section id="${operationId}">`);
    expect(text).not.toMatch(/<script|src=|@import|url\(/);
    // Mounted below a path of somebody else's, it still finds what stands beside it.
    expect([...text.matchAll(/href="([^#"][^"]*)"/g)].map(([, href]) => href)).toEqual(["openapi.json"]);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("the service keeps metrics for the operator, where there are any", async () => {
    expect((await desk.send("GET", "/metrics")).status).toBe(401);
    expect((await desk.byKey("/metrics")).status).toBe(401);
    expect((await desk.byAdmin("GET", "/metrics")).status).toBe(404);
  });
});

describe("readiness of a service", () => {
  it("a stopping service is up and not ready, and still answers until it drains", async () => {
    const own = await openDesk();
    own.gateway.markNotReady();
    expect((await own.send("GET", "/health")).status).toBe(200);
    const ready = await own.send("GET", "/ready");
    expect([ready.status, ready.body.errors]).toEqual([503, ["The service is stopping."]]);
    expect((await own.byKey("/api/v1/ai/models")).status).toBe(200);
    await own.gateway.drain();
    expect((await own.byKey("/api/v1/ai/models")).status).toBe(503);
    expect((await own.send("GET", "/health")).status).toBe(200);
    expect((await own.send("GET", "/ready")).status).toBe(503);
    await own.close();
  });

  it("a service without its database is not ready", async () => {
    const own = await openDesk();
    await own.store.close();
    const ready = await own.send("GET", "/ready");
    expect([ready.status, ready.body.errors]).toEqual([503, ["The database does not respond."]]);
    expect((await own.send("GET", "/health")).status).toBe(200);
    await own.gateway.close();
  });
});
