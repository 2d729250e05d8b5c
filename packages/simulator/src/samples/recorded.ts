import recorded from "./recorded.json" with { type: "json" };

type Format = "flac" | "aac" | "bmp" | "gif" | "heic" | "tiff";
// Annotated: an inferred type would make the declarations import the JSON file, which not every resolution allows.
const files: Readonly<Record<Format, string>> = recorded;

/** A copy of a file that was recorded once, or of its beginning, to write a size or a length into. */
export const copyOf = (name: Format): Buffer => Buffer.from(files[name], "base64");

/** A GIF of one pixel on a canvas of the requested size. */
export function gif(width: number, height: number): Buffer {
  const file = copyOf("gif");
  file.writeUInt16LE(width, 6);
  file.writeUInt16LE(height, 8);
  return file;
}

/** A HEIC whose headers are right and whose picture is zeros: enough for everything but a decoder. */
export function heic(width: number, height: number): Buffer {
  const file = copyOf("heic");
  const size = file.indexOf("ispe") + 8;
  file.writeUInt32BE(width, size);
  file.writeUInt32BE(height, size + 4);
  return file;
}

/** A gray BMP of one bit a pixel: its header, and as many zeros as its rows take. */
export function bmp(width: number, height: number): Buffer {
  const header = copyOf("bmp");
  const pixels = Buffer.alloc(Math.ceil(width / 32) * 4 * height);
  header.writeUInt32LE(header.length + pixels.length, 2);
  header.writeUInt32LE(width, 18);
  header.writeUInt32LE(height, 22);
  header.writeUInt32LE(pixels.length, 34);
  return Buffer.concat([header, pixels]);
}

/** A black TIFF of one bit a pixel: its directory, and as many zeros as its one strip takes. */
export function tiff(width: number, height: number): Buffer {
  const directory = copyOf("tiff");
  const strip = Buffer.alloc(Math.ceil(width / 8) * height);
  directory.writeUInt32LE(width, 18);
  directory.writeUInt32LE(height, 30);
  // The rows of the strip, and its length in bytes.
  directory.writeUInt32LE(height, 102);
  directory.writeUInt32LE(strip.length, 114);
  return Buffer.concat([directory, strip]);
}

/** Samples in one frame of AAC. */
export const AAC_FRAME = 1024;

/** A frame of silence of one channel, as films store it: without the header of seven bytes. */
export const aacFrame = (): Buffer => copyOf("aac").subarray(7);

/** Silence as an AAC file of 24 kHz: frames that each describe themselves. */
export function aac(seconds: number): Buffer {
  return Buffer.concat(new Array<Buffer>(Math.ceil((seconds * 24_000) / AAC_FRAME)).fill(copyOf("aac")));
}
