const MAGIC: [mediaType: string, test: (bytes: Buffer) => boolean][] = [
  ["image/png", (bytes) => bytes.subarray(0, 4).toString("latin1") === "\x89PNG"],
  ["image/jpeg", (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff],
  ["image/gif", (bytes) => bytes.subarray(0, 4).toString("latin1") === "GIF8"],
  ["image/webp", (bytes) => bytes.subarray(8, 12).toString("latin1") === "WEBP"],
  ["image/bmp", (bytes) => bytes.subarray(0, 2).toString("latin1") === "BM"],
  ["image/tiff", (bytes) => /^(II\*\0|MM\0\*)/.test(bytes.subarray(0, 4).toString("latin1"))],
  ["image/avif", (bytes) => /^ftypavi[fs]/.test(bytes.subarray(4, 12).toString("latin1"))],
  ["image/heic", (bytes) => /^ftyp(hei[cx]|mif1|msf1)/.test(bytes.subarray(4, 12).toString("latin1"))],
  ["video/quicktime", (bytes) => bytes.subarray(4, 12).toString("latin1") === "ftypqt  "],
  ["video/mp4", (bytes) => bytes.subarray(4, 8).toString("latin1") === "ftyp"],
  ["audio/wav", (bytes) => bytes.subarray(8, 12).toString("latin1") === "WAVE"],
  ["audio/mpeg", (bytes) => /^(ID3|\xff[\xe2-\xff])/.test(bytes.subarray(0, 3).toString("latin1"))],
  ["application/pdf", (bytes) => bytes.subarray(0, 5).toString("latin1") === "%PDF-"],
];

/** The bytes of a base64 text, or undefined when it is not base64. Most vendors read the standard form alone. */
export function decodeBase64(text: string): Buffer | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, "base64");
}

/** Like `decodeBase64`, for vendors that accept both alphabets and no padding. */
export const decodeAnyBase64 = (text: string): Buffer | undefined =>
  /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? Buffer.from(text, "base64") : undefined;

/** The media type that the first bytes show, if they show one. */
export function sniff(bytes: Buffer): string | undefined {
  return MAGIC.find(([, test]) => test(bytes))?.[0];
}

/** The parts of a base64 data URL, or undefined when it is not one. */
export function readDataUrl(url: string): { mediaType: string; bytes: Buffer } | undefined {
  const comma = url.indexOf(",");
  const head = url.slice(0, comma).match(/^data:([^;,]+)(?:;[^,]*)?;base64$/);
  const bytes = head ? decodeBase64(url.slice(comma + 1)) : undefined;
  return head && bytes ? { mediaType: head[1]!, bytes } : undefined;
}
