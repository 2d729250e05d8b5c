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

  it("objects are listed that were last written before a moment", async () => {
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
};
