import { flac } from "./flac.ts";
import { jpeg } from "./jpeg.ts";
import { mp3 } from "./mp3.ts";
import { mov, mp4 } from "./mp4.ts";
import { opus } from "./opus.ts";
import { png } from "./png.ts";
import { aac, bmp, gif, heic, tiff } from "./recorded.ts";
import { pcm, wav } from "./wav.ts";
import { webp } from "./webp.ts";

/**
 * Small real files of every format: pictures of one colour, still films, silence or a low tone. Sizes are
 * pixels, durations seconds, rates hertz. The same arguments give the same bytes.
 */
export const samples = { png, jpeg, webp, gif, bmp, tiff, heic, mp4, mov, wav, mp3, opus, aac, flac, pcm };

/** The media type of each kind of file. */
export const TYPES: Record<string, string> = {
  png: "image/png",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  bmp: "image/bmp",
  tiff: "image/tiff",
  heic: "image/heic",
  mp4: "video/mp4",
  mov: "video/quicktime",
  wav: "audio/wav",
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  ogg: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  pcm: "audio/pcm",
};

/** The longest edge that every format can have. */
const LARGEST = 16_383;

/** A file by its name: parts between dashes are `WxH`, `Ns` and `Nfps`, as in `1280x720-5s-24fps.mp4`. */
export function sampleNamed(name: string): { type: string; bytes: Buffer } | undefined {
  const [, base = "", extension = ""] = name.match(/^([^.]*)\.(\w+)$/) ?? [];
  const type = TYPES[extension];
  if (!type) return undefined;
  const [, w = 640, h = 480] = (base.match(/(?<!\d)(\d+)x(\d+)/) ?? []).map((edge) =>
    Math.max(1, Math.min(LARGEST, Number(edge))),
  );
  const seconds = Math.min(600, Number(base.match(/(?<![\d_])([\d_]+)s\b/)?.[1]?.replace("_", ".") ?? 2));
  const fps = Math.max(1, Math.min(120, Number(base.match(/(?<!\d)(\d+)fps/)?.[1] ?? 24)));
  const even = (edge: number): number => Math.max(2, edge - (edge % 2));
  const video = { w: even(w), h: even(h), seconds, fps };
  const make: Record<string, () => Buffer> = {
    jpg: () => jpeg(w, h),
    ogg: () => opus(seconds),
    mp4: () => mp4(video),
    mov: () => mov(video),
    wav: () => wav(seconds),
    mp3: () => mp3(seconds),
    opus: () => opus(seconds),
    aac: () => aac(seconds),
    flac: () => flac(seconds),
    pcm: () => pcm(seconds),
    ...Object.fromEntries(
      Object.entries({ png, jpeg, webp, gif, bmp, tiff, heic }).map(([key, write]) => [
        key,
        () => write(w, h),
      ]),
    ),
  };
  return { type, bytes: make[extension]!() };
}
