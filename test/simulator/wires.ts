import { createHash, createHmac } from "node:crypto";

/** Little readers of media files, so that the tests need no other program to see what a file is. */

interface Box {
  type: string;
  data: Buffer;
}

export function boxesOf(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (length < 8 || at + length > bytes.length)
      throw new Error(`a box at ${at} does not end inside the file`);
    boxes.push({ type: bytes.toString("latin1", at + 4, at + 8), data: bytes.subarray(at + 8, at + length) });
    at += length;
  }
  return boxes;
}

const inside = (bytes: Buffer, ...path: string[]): Buffer =>
  path.reduce((data, type) => boxesOf(data).find((box) => box.type === type)!.data, bytes);

/** What a film's own tables say about it. */
export function readFilm(bytes: Buffer) {
  const top = boxesOf(bytes).map(({ type }) => type);
  const tracks = boxesOf(inside(bytes, "moov")).filter(({ type }) => type === "trak");
  const video = tracks[0]!.data;
  const table = inside(video, "mdia", "minf", "stbl");
  const times = inside(table, "stts");
  const entry = inside(table, "stsd").subarray(8);
  const media = inside(video, "mdia", "mdhd");
  const [frames, step, scale] = [times.readUInt32BE(8), times.readUInt32BE(12), media.readUInt32BE(12)];
  const sizes = inside(table, "stsz");
  const total = Array.from({ length: frames }, (_, index) => sizes.readUInt32BE(12 + index * 4));
  const start = inside(table, "stco").readUInt32BE(8);
  return {
    top,
    tracks: tracks.length,
    width: entry.readUInt16BE(32),
    height: entry.readUInt16BE(34),
    codec: entry.toString("latin1", 4, 8),
    frames,
    fps: scale / step,
    seconds: (frames * step) / scale,
    first: bytes.subarray(start, start + total[0]!),
  };
}

/** Type and size of a picture. */
export function readPicture(bytes: Buffer): { type: string; width: number; height: number } {
  if (bytes.toString("latin1", 1, 4) === "PNG")
    return { type: "png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes.toString("latin1", 8, 12) === "WEBP") {
    const packed = bytes.readUInt32LE(21);
    return { type: "webp", width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  return { type: "jpeg", width: bytes.readUInt16BE(frame + 7), height: bytes.readUInt16BE(frame + 5) };
}

/** Seconds of an MP3, counted frame by frame. */
export function readMp3(bytes: Buffer): { seconds: number; rate: number } {
  const rates = [44100, 48000, 32000];
  let [at, seconds, rate] = [0, 0, 0];
  while (at < bytes.length) {
    if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xe0) !== 0xe0) throw new Error(`no frame at ${at}`);
    const version = (bytes[at + 1]! >> 3) & 3;
    const divisor = version === 3 ? 1 : version === 2 ? 2 : 4;
    rate = rates[(bytes[at + 2]! >> 2) & 3]! / divisor;
    const samples = divisor === 1 ? 1152 : 576;
    at += Math.floor((samples * 32_000) / 8 / rate) + ((bytes[at + 2]! >> 1) & 1);
    seconds += samples / rate;
  }
  return { seconds, rate };
}

export const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());

/** The events of a stream: name and data, parsed where it is JSON. */
export function eventsOf(text: string): { event?: string; data: Record<string, unknown> | string }[] {
  return text
    .split("\n\n")
    .filter(Boolean)
    .map((frame) => {
      const event = frame.match(/^event: (.*)$/m)?.[1];
      const data = frame.match(/^data: (.*)$/m)![1]!;
      return { event, data: data.startsWith("{") ? JSON.parse(data) : data };
    });
}

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Signs an action as its vendor's documentation says. */
export function signed(
  origin: string,
  action: string,
  body: object,
  {
    service = "ark",
    version = "2024-01-01",
    key = "AK",
    secret = "AK-secret",
    date = "20231114T221320Z",
  }: { service?: string; version?: string; key?: string; secret?: string; date?: string } = {},
): [url: string, init: RequestInit] {
  const text = JSON.stringify(body);
  const query = `Action=${action}&Version=${version}`;
  const headers: Record<string, string> = {
    "content-type": "application/json",
    host: new URL(origin).host,
    "x-content-sha256": sha(text),
    "x-date": date,
  };
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join("");
  const canonical = `POST\n/\n${query}\n${lines}\n${names.join(";")}\n${sha(text)}`;
  const day = date.slice(0, 8);
  const mac = (secretKey: Buffer | string, data: string) =>
    createHmac("sha256", secretKey).update(data).digest();
  const chain = [day, "sim-1", service, "request"].reduce<Buffer | string>(mac, secret);
  const scope = `${day}/sim-1/${service}/request`;
  const signature = mac(chain, `HMAC-SHA256\n${date}\n${scope}\n${sha(canonical)}`).toString("hex");
  const authorization = `HMAC-SHA256 Credential=${key}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return [`${origin}/?${query}`, { method: "POST", headers: { ...headers, authorization }, body: text }];
}
