import type { AssetType, Probe } from "@manifold-gateway/media";
import type { Bytes } from "./build/bytes.ts";
import { avif, heic, heicGrid } from "./build/heif.ts";
import {
  bmp,
  bmpCore,
  gif,
  jpeg,
  png,
  type Size,
  tiff,
  webp,
  webpAnimated,
  webpExtended,
  webpLossless,
} from "./build/images.ts";
import { movie } from "./build/movies.ts";
import { id3, index, mp3, wav } from "./build/sounds.ts";

type WithoutSize<One> = One extends Probe ? Omit<One, "size"> : never;

/** A whole, well-formed file that keeps the limits of its asset type. */
export interface Sample {
  name: string;
  bytes: Bytes;
  is: WithoutSize<Probe>;
  asset: AssetType;
}

/** Writers of pictures, by the name of their format. */
export const pictures: [name: string, mediaType: `image/${string}`, write: (size: Size) => Bytes][] = [
  ["jpeg", "image/jpeg", (size) => jpeg(size)],
  ["progressive jpeg", "image/jpeg", (size) => jpeg(size, { progressive: true })],
  ["png", "image/png", png],
  ["gif", "image/gif", (size) => gif(size)],
  ["animated gif", "image/gif", (size) => gif(size, { frames: 3 })],
  ["lossy webp", "image/webp", webp],
  ["lossless webp", "image/webp", webpLossless],
  ["extended webp", "image/webp", (size) => webpExtended(size)],
  ["animated webp", "image/webp", webpAnimated],
  ["bmp", "image/bmp", (size) => bmp(size)],
  ["top-down bmp", "image/bmp", (size) => bmp(size, { topDown: true })],
  ["OS/2 bmp", "image/bmp", bmpCore],
  ["little-endian tiff", "image/tiff", (size) => tiff(size)],
  ["big-endian tiff", "image/tiff", (size) => tiff(size, { little: false })],
  ["little-endian BigTIFF", "image/tiff", (size) => tiff(size, { big: true })],
  ["big-endian BigTIFF", "image/tiff", (size) => tiff(size, { big: true, little: false })],
  ["heic", "image/heic", heic],
  ["heic grid", "image/heic", heicGrid],
  ["avif", "image/avif", avif],
];

const SIZE = { width: 700, height: 400 };

const filmed = (seconds: number): Sample["is"] => ({
  kind: "video",
  mediaType: "video/mp4",
  width: 1280,
  height: 720,
  seconds,
  fps: 24,
});
const video = (seconds = 5): Sample["is"] => ({ ...filmed(seconds), isSilent: true }) as Sample["is"];

const sound = (mediaType: `audio/${string}`, seconds: number): Sample["is"] => ({
  kind: "audio",
  mediaType,
  seconds,
});

export const samples: Sample[] = [
  ...pictures
    .filter(([, mediaType]) => mediaType !== "image/avif")
    .map(([name, mediaType, write]): Sample => {
      return { name, bytes: write(SIZE), is: { kind: "image", mediaType, ...SIZE }, asset: "Image" };
    }),
  { name: "mp4, index first", bytes: movie(), is: video(), asset: "Video" },
  { name: "mp4, index last", bytes: movie({ indexFirst: false }), is: video(), asset: "Video" },
  { name: "mp4 with sound", bytes: movie({ sound: 9.6 }), is: filmed(9.6), asset: "Video" },
  { name: "fragmented mp4", bytes: movie({ fragments: 3 }), is: video(), asset: "Video" },
  { name: "mp4 with an edit", bytes: movie({ edits: [[3700, 1300]] }), is: video(3.7), asset: "Video" },
  {
    name: "mov",
    bytes: movie({ brand: "qt  " }),
    is: { ...video(), mediaType: "video/quicktime" } as Sample["is"],
    asset: "Video",
  },
  { name: "wav", bytes: wav(), is: sound("audio/wav", 5), asset: "Audio" },
  {
    name: "stereo wav of 16 bits",
    bytes: wav({ channels: 2, bits: 16, rate: 300 }),
    is: sound("audio/wav", 5),
    asset: "Audio",
  },
  { name: "mp3", bytes: mp3({ seconds: 4.8 }), is: sound("audio/mpeg", 4.8), asset: "Audio" },
  {
    name: "mp3 of a varying rate, with tags and an index",
    bytes: mp3({ seconds: 4.8, kilobits: [32, 64, 128], before: [id3(300), index(200)] }),
    is: sound("audio/mpeg", 4.8),
    asset: "Audio",
  },
];
