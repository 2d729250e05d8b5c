const PER_CHANNEL = 256_000;
/** So many channels are allowed for at least, and at most: a number that is made up must not hide any length. */
const CHANNELS = { least: 2, most: 8 };

/** The most bits a second of sound of a lossy codec. A file with more bytes than that says too little of its length. */
export function mostLossyBits(channels: number): number {
  return PER_CHANNEL * Math.min(CHANNELS.most, Math.max(CHANNELS.least, channels));
}
