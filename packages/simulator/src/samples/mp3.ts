const RATES = [44100, 48000, 32000];
const BITS = 32_000;

/** Silence as MP3 frames of 32 kbit/s, one channel; MPEG-1, 2 or 2.5 as the rate wants. */
export function mp3(seconds: number, rate = 44100): Buffer {
  const divisor = [1, 2, 4].find((one) => RATES.includes(rate * one)) ?? 1;
  const full = RATES.includes(rate * divisor) ? rate : 44100;
  const samples = divisor === 1 ? 1152 : 576;
  const version = { 1: 0xfb, 2: 0xf3, 4: 0xe3 }[divisor]!;
  const exact = (samples * BITS) / 8 / full;
  const frames: Buffer[] = [];
  let owed = 0;
  for (let index = 0; index < Math.ceil((seconds * full) / samples); index++) {
    owed += exact % 1;
    // Frames hold whole bytes; a padded one now and then keeps the bit rate true.
    const padded = owed >= 1 ? 1 : 0;
    owed -= padded;
    const frame = Buffer.alloc(Math.floor(exact) + padded);
    const bitrate = divisor === 1 ? 1 : 4;
    frame.set([0xff, version, (bitrate << 4) | (RATES.indexOf(full * divisor) << 2) | (padded << 1), 0xc4]);
    frames.push(frame);
  }
  return Buffer.concat(frames);
}
