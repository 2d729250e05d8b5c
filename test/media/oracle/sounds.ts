import type { Oracle } from "./opinion.ts";

export const wav: Oracle = (file) => {
  let format: Buffer | undefined;
  for (let at = 12; ; ) {
    const type = file.toString("latin1", at, at + 4);
    const length = file.readUInt32LE(at + 4);
    if (type === "fmt ") format ??= file.subarray(at + 8, at + 8 + length);
    if (type === "data" && format) {
      const known = length !== 0 && length !== 0xffffffff;
      const bytes = known ? length : file.length - at - 8;
      return { seconds: Math.floor(bytes / format.readUInt16LE(12)) / format.readUInt32LE(4) };
    }
    at += 8 + length + (length & 1);
  }
};

const BITRATES = "0 32 40 48 56 64 80 96 112 128 160 192 224 256 320".split(" ").map(Number);
const LOW_BITRATES = "0 8 16 24 32 40 48 56 64 80 96 112 128 144 160".split(" ").map(Number);

/** Seconds and bytes of the frame at an offset. */
function frameAt(file: Buffer, at: number): [seconds: number, bytes: number] | undefined {
  const bits = file.subarray(at, at + 4).reduce((text, byte) => text + byte.toString(2).padStart(8, "0"), "");
  const [, version = "", rateBits = "", frequency = "", padding = ""] =
    /^1{11}(00|10|11)01.(\d{4})(00|01|10)(.)/.exec(bits) ?? [];
  const kilobits = (version === "11" ? BITRATES : LOW_BITRATES)[Number.parseInt(rateBits, 2)];
  if (!kilobits) return undefined;
  const base = [44100, 48000, 32000][Number.parseInt(frequency, 2)] as number;
  const rate = version === "11" ? base : version === "10" ? base / 2 : base / 4;
  const samples = version === "11" ? 1152 : 576;
  return [samples / rate, Math.floor((samples * 125 * kilobits) / rate) + Number(padding)];
}

export const mp3: Oracle = (file) => {
  let seconds = 0;
  for (let at = 0; at < file.length; ) {
    const tag = file.toString("latin1", at, at + 3) === "ID3" ? file.subarray(at + 6, at + 10) : undefined;
    if (tag) {
      const length =
        tag.reduce((sum, byte) => sum * 128 + (byte & 127), 0) + ((file[at + 5] as number) & 16 ? 20 : 10);
      at += at + length <= file.length ? length : 1;
      continue;
    }
    const frame = frameAt(file, at);
    if (frame && at + frame[1] <= file.length) {
      const head = file.toString("latin1", at, at + 48);
      if (!/Xing|Info|VBRI/.test(head)) seconds += frame[0];
      at += frame[1];
    } else at++;
  }
  return { seconds };
};
