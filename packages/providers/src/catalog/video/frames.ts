import type { FrameTable } from "@manifold/core";

const ratios = ["16:9", "4:3", "1:1", "3:4", "9:16", "21:9"] as const;

/** A row of a table, as its vendor prints it: one size for each ratio. */
const row = (text: string): FrameTable[string] =>
  Object.fromEntries(
    text.split(" ").map((size, index) => {
      const [width = 0, height = 0] = size.split("x").map(Number);
      return [ratios[index] as string, [width, height]] as const;
    }),
  );

const middle = row("1280x720 1112x834 960x960 834x1112 720x1280 1470x630");
const high = row("1920x1080 1664x1248 1440x1440 1248x1664 1080x1920 2206x946");

/** Output pixels of the models of this wire, by generation. */
export const frames = {
  first: {
    "480p": row("864x480 736x544 640x640 544x736 480x864 960x416"),
    "720p": row("1248x704 1120x832 960x960 832x1120 704x1248 1504x640"),
    "1080p": row("1920x1088 1664x1248 1440x1440 1248x1664 1088x1920 2176x928"),
  },
  second: {
    "480p": row("864x496 752x560 640x640 560x752 496x864 992x432"),
    "720p": middle,
    "1080p": high,
    "4k": row("3840x2160 3326x2494 2880x2880 2494x3326 2160x3840 4398x1886"),
  },
  third: {
    "480p": row("854x480 752x560 640x640 560x752 480x854 992x432"),
    "720p": middle,
    "1080p": high,
  },
} satisfies Record<string, FrameTable>;
