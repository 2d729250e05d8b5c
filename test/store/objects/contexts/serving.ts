import { type ObjectAnswer, type Objects, serveObject } from "@manifold-gateway/store";
import { beforeAll, expect, it } from "vitest";
import { pattern, readAll } from "../bytes.ts";
import { NOW } from "../places/place.ts";
import type { Context } from "../suite.ts";

const KEY = "served/0.png";

export const serving: Context = (place) => {
  const ask = (headers: Record<string, string> = {}, method = "GET", key = KEY): Promise<ObjectAnswer> =>
    serveObject(
      place().objects,
      key,
      { method, headers: new Headers(headers) },
      { filename: "0.png", maxAge: 60 },
    );
  const bodyOf = (answer: ObjectAnswer) =>
    answer.ok && answer.body ? readAll(answer.body) : Promise.resolve(undefined);
  let etag = "";

  beforeAll(async () => {
    await place().objects.put(KEY, pattern(100), { mediaType: "image/png" });
    etag = (await place().objects.head(KEY))?.etag ?? "";
  });

  it("a served file has every header that a browser needs, and none that lets it run the file", async () => {
    const answer = await ask();
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        "content-type": "image/png",
        "content-length": "100",
        "content-disposition": "inline; filename=0.png",
        "accept-ranges": "bytes",
        etag,
        "last-modified": new Date(NOW).toUTCString(),
        "cache-control": "private, max-age=60",
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'",
      },
    });
    expect(await bodyOf(answer)).toEqual(pattern(100));
  });

  it("HEAD is answered as GET without the bytes, whatever range it names", async () => {
    const whole = await ask();
    await bodyOf(whole);
    const head = await ask({ range: "bytes=0-1" }, "HEAD");
    expect(head).toEqual({ ok: true, status: 200, headers: whole.headers });
  });

  it("a reader who has the object hears that nothing changed", async () => {
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const answer = await ask({ "if-none-match": known, range: "bytes=0-1" });
      expect(answer).toMatchObject({ status: 304, headers: { etag } });
      expect(answer.headers["content-length"]).toBeUndefined();
      expect(await bodyOf(answer)).toBeUndefined();
    }
    const other = await ask({ "if-none-match": '"other"' });
    expect(other.status).toBe(200);
    await bodyOf(other);
  });

  it("a part is sent only to a reader who holds the rest of the same object", async () => {
    const range = "bytes=10-19";
    for (const [condition, status] of [
      [etag, 206],
      [new Date(NOW).toUTCString(), 206],
      [`W/${etag}`, 200],
      ['"other"', 200],
      [new Date(NOW - 1000).toUTCString(), 200],
    ] as const) {
      const answer = await ask({ range, "if-range": condition });
      expect([condition, answer.status]).toEqual([condition, status]);
      expect((await bodyOf(answer))?.length).toBe(status === 206 ? 10 : 100);
    }
  });

  it("the whole object is sent where a range means nothing or there are several", async () => {
    for (const range of ["bytes=1-2,5-6", "items=1-2", "bytes=a-b", "bytes=-", "bytes=9-3", "bytes", ""]) {
      const answer = await ask({ range });
      expect([range, answer.status]).toEqual([range, 200]);
      expect((await bodyOf(answer))?.length).toBe(100);
    }
  });

  it("an empty object is sent whole, and has no ranges", async () => {
    await place().objects.put("served/empty", new Uint8Array(), { mediaType: "text/plain" });
    const whole = await ask({}, "GET", "served/empty");
    expect(whole).toMatchObject({ status: 200, headers: { "content-length": "0" } });
    expect((await bodyOf(whole))?.length).toBe(0);
    for (const range of ["bytes=0-", "bytes=-5"])
      expect(await ask({ range }, "GET", "served/empty")).toMatchObject({
        ok: false,
        status: 416,
        headers: { "content-range": "bytes */0" },
      });
  });

  it("serving starts again when the object was replaced between being looked at and being read", async () => {
    const { objects } = place();
    for (const stale of [1, 2]) {
      let asked = 0;
      const racing: Objects = {
        ...objects,
        head: async (key) => ({
          ...(await objects.head(key))!,
          ...(asked++ < stale && { etag: '"old"', size: 500 }),
        }),
      };
      const request = { method: "GET", headers: new Headers({ range: "bytes=0-9" }) };
      const answer = await serveObject(racing, KEY, request);
      expect(answer).toMatchObject({ status: 206, headers: { etag, "content-range": "bytes 0-9/100" } });
      expect(await bodyOf(answer)).toEqual(pattern(100).subarray(0, 10));
    }
    const changing: Objects = {
      ...objects,
      head: async (key) => ({ ...(await objects.head(key))!, etag: '"old"' }),
    };
    const never = serveObject(changing, KEY, { method: "GET", headers: new Headers() });
    await expect(never).rejects.toMatchObject({ code: "unavailable" });
  });

  it("unknown objects and unsupported methods are refused", async () => {
    expect(await ask({}, "GET", "served/unknown.png")).toMatchObject({ ok: false, status: 404 });
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
      expect(await ask({}, method)).toMatchObject({
        ok: false,
        status: 405,
        headers: { allow: "GET, HEAD" },
      });
  });
};
