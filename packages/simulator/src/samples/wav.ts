import { le16, le32 } from "./bits.ts";

/** A low tone as 16-bit samples, one channel; the same for the same pitch. */
export function pcm(seconds: number, rate = 24000, hertz = 110): Buffer {
  const count = Math.round(seconds * rate);
  const bytes = Buffer.alloc(count * 2);
  const period = Math.max(1, Math.round(rate / hertz));
  const cycle = Array.from({ length: period }, (_, index) =>
    Math.round(2000 * Math.sin((2 * Math.PI * index) / period)),
  );
  for (let index = 0; index < count; index++) bytes.writeInt16LE(cycle[index % period]!, index * 2);
  return bytes;
}

/** The tone as a WAV file. */
export function wav(seconds: number, rate = 24000, hertz?: number): Buffer {
  const data = pcm(seconds, rate, hertz);
  return Buffer.concat([
    Buffer.from("RIFF", "latin1"),
    le32(36 + data.length),
    Buffer.from("WAVEfmt ", "latin1"),
    le32(16),
    le16(1),
    le16(1),
    le32(rate),
    le32(rate * 2),
    le16(2),
    le16(16),
    Buffer.from("data", "latin1"),
    le32(data.length),
    data,
  ]);
}
