import { sweep } from "@manifold/store";
import { expect, it } from "vitest";
import { pattern } from "../bytes.ts";
import { NOW } from "../places/place.ts";
import type { Context } from "../suite.ts";

const DAY = 24 * 3600 * 1000;
const key = (day: number) => `account/day-${day}/0.png`;

export const retention: Context = (place) => {
  const older = async (than: number) => {
    const found = await Array.fromAsync(place().objects.listOlder(than));
    return found.sort((a, b) => a.modified - b.modified);
  };

  it("lists what was last written before a moment", async () => {
    const { objects, setNow } = place();
    for (let day = 0; day < 10; day++) {
      setNow(NOW + day * DAY);
      await objects.put(key(day), pattern(day), { mediaType: "image/png" });
    }
    expect(await older(NOW)).toEqual([]);
    expect(await older(NOW + 4 * DAY)).toEqual(
      [0, 1, 2, 3].map((day) => ({ key: key(day), modified: NOW + day * DAY, size: day })),
    );
    setNow(NOW + 10 * DAY);
    await objects.put(key(0), pattern(3), { mediaType: "image/png" });
    expect((await older(NOW + 4 * DAY)).map((one) => one.key)).toEqual([1, 2, 3].map(key));
  });

  it("removes no more than it may at a time, and in the end everything old", async () => {
    const { objects } = place();
    const moment = NOW + 8 * DAY;
    expect(await sweep(objects, moment, 0)).toBe(0);
    expect(await sweep(objects, moment, 5)).toBe(5);
    expect(await older(moment)).toHaveLength(2);
    expect(await sweep(objects, moment, 5)).toBe(2);
    expect(await sweep(objects, moment, 5)).toBe(0);
    const left = await Promise.all([0, 7, 8, 9].map((day) => objects.head(key(day))));
    expect(left.map((one) => one?.key)).toEqual([key(0), undefined, key(8), key(9)]);
  });
};
