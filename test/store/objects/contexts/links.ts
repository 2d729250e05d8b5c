import { LINK_LIFE } from "@manifold-gateway/store";
import fc from "fast-check";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { pattern } from "../bytes.ts";
import { NOW } from "../places/place.ts";
import type { Context } from "../suite.ts";

const KEY = "account/video-1/0.mp4";
const HOUR = 3600 * 1000;
const terms = { expires: NOW + HOUR, mediaType: "video/mp4", filename: "a dög’s “day”.mp4" };

/** What a link says once it is decoded: escapes that differ by letter case only say the same. */
function meaning(link: string): string {
  const url = new URL(link);
  return JSON.stringify([url.pathname, [...url.searchParams]]);
}

export const links: Context = (place) => {
  beforeAll(() => place().objects.put(KEY, pattern(500), { mediaType: "video/mp4" }));
  beforeEach(() => place().setNow(NOW));

  it("a link downloads with the type and the name that it was made for", async () => {
    const response = await place().follow(await place().objects.link(KEY, terms));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("video/mp4");
    expect(response.headers.get("cache-control")).toBe("private, max-age=3600");
    expect(response.headers.get("content-disposition")).toBe(
      `inline; filename="a d_g_s _day_.mp4"; filename*=UTF-8''a%20d%C3%B6g%E2%80%99s%20%E2%80%9Cday%E2%80%9D.mp4`,
    );
    expect(Buffer.from(await response.arrayBuffer())).toEqual(pattern(500));
  });

  it("a link downloads a part", async () => {
    const link = await place().objects.link(KEY, terms);
    const response = await place().follow(link, { headers: { range: "bytes=-10" } });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe("bytes 490-499/500");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(pattern(500).subarray(490));
  });

  it("a link saves what could run in a page instead of showing it", async () => {
    for (const mediaType of ["text/html", "image/svg+xml", "application/pdf", "text/javascript"]) {
      const response = await place().follow(await place().objects.link(KEY, { ...terms, mediaType }));
      expect(response.headers.get("content-disposition")).toMatch(/^attachment; /);
      expect(response.headers.get("content-type")).toBe(mediaType);
      await response.arrayBuffer();
    }
  });

  it("a link works until the second it expires, and never again", async () => {
    const { objects, follow, setNow } = place();
    const link = await objects.link(KEY, terms);
    const statuses: number[] = [];
    for (const at of [0, HOUR - 1000, HOUR, HOUR + 1000, 3 * LINK_LIFE]) {
      setNow(NOW + at);
      const response = await follow(link);
      statuses.push(response.status);
      await response.arrayBuffer();
    }
    expect(statuses).toEqual([200, 200, 403, 403, 403]);
  });

  it.each([0, -1, LINK_LIFE + 1, Number.NaN, Number.POSITIVE_INFINITY])(
    "a link is not made to expire %d milliseconds from now",
    async (life) => {
      const link = place().objects.link(KEY, { ...terms, expires: NOW + life });
      await expect(link).rejects.toMatchObject({ code: "bad_terms" });
    },
  );

  it("a link is refused when any bit of it differs", async () => {
    const link = await place().objects.link(KEY, terms);
    const start = new URL(link).origin.length + 1;
    const at = fc.integer({ min: start, max: link.length - 1 });
    await fc.assert(
      fc.asyncProperty(at, fc.integer({ min: 0, max: 6 }), async (index, bit) => {
        const letter = String.fromCharCode(link.charCodeAt(index) ^ (1 << bit));
        const other = link.slice(0, index) + letter + link.slice(index + 1);
        fc.pre(meaning(other) !== meaning(link));
        const response = await place().follow(other);
        await response.arrayBuffer();
        expect([403, 404]).toContain(response.status);
      }),
      { numRuns: 120 },
    );
  });

  it("a link is refused for other objects and for other methods", async () => {
    const { objects, follow } = place();
    await objects.put("account/video-2/0.mp4", pattern(9), { mediaType: "video/mp4" });
    const link = await objects.link(KEY, terms);
    const other = await follow(link.replace("video-1", "video-2"));
    expect(other.status).toBe(403);
    for (const method of ["PUT", "DELETE", "POST"]) {
      const response = await follow(link, { method });
      expect([403, 405]).toContain(response.status);
    }
    expect((await objects.head(KEY))?.size).toBe(500);
  });

  it("a link finds nothing once the object is gone", async () => {
    const { objects, follow } = place();
    await objects.put("account/gone.png", pattern(9), { mediaType: "image/png" });
    const link = await objects.link("account/gone.png", { ...terms, mediaType: "image/png" });
    await objects.remove("account/gone.png");
    expect((await follow(link)).status).toBe(404);
  });
};
