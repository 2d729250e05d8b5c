import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { needsMedia, rows, targetOf } from "../openapi/routes.ts";
import { openStand, type Stand } from "../openapi/stand.ts";

const read = rows.filter(
  ({ path, route }) => route.method === "GET" && route.examples && !route.opens && !needsMedia(path),
);

/** The headers of an answer, without those that differ between any two. */
const headersOf = ({ headers }: Response): Record<string, string> => {
  const { "x-request-id": _, date, "request-id": id, ...others } = Object.fromEntries(headers);
  return others;
};

describe("HEAD of a path that has GET", () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand();
  });
  afterAll(() => stand.close());

  it.each(read)("$path is answered as GET, without its body", async ({ route, path }) => {
    for (const example of Object.values(route.examples ?? {})) {
      const target = targetOf(path, example);
      const whole = await stand.send(route, target);
      const head = await stand.send({ ...route, method: "HEAD" }, target);
      expect([head.status, await head.text()]).toEqual([whole.status, ""]);
      const { "content-length": size = "", ...headers } = headersOf(head);
      const { "content-length": _, ...expected } = headersOf(whole);
      expect(headers).toEqual(expected);
      // The length of an answer differs only with times and figures in it.
      if (size !== "") expect(Math.abs(Number(size) - (await whole.text()).length)).toBeLessThan(40);
    }
  });

  it("needs the credentials of GET, and is not allowed where there is no GET", async () => {
    const send = (path: string) =>
      stand.gateway.fetch(new Request(`http://stand.test${path}`, { method: "HEAD" }));
    expect((await send("/api/chatstyle/v1/models")).status).toBe(401);
    const posted = await send("/api/chatstyle/v1/chat/completions");
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

describe("HEAD over a connection that stays open", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage.close());

  const send = (path: string) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const headers = { "x-api-key": KEY };
      request(stage.origin + path, { method: "HEAD", headers }, (response) => {
        response.resume().on("end", () => resolve({ status: response.statusCode, ...response.headers }));
      })
        .on("error", reject)
        .end();
    });

  it("answers a listing with its length, and streams at once", async () => {
    const whole = await (await stage.call("/api/chatstyle/v1/models")).arrayBuffer();
    const length = String(whole.byteLength);
    expect(await send("/api/chatstyle/v1/models")).toMatchObject({ status: 200, "content-length": length });
    for (const path of ["/api/compat/v1/events", "/api/compat/v1/usage/export"])
      expect(await send(path)).toMatchObject({ status: 200, "x-request-id": expect.any(String) });
    expect(await send("/health")).toMatchObject({ status: 200 });
  });
});
