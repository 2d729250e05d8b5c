import type { View } from "../view.ts";

/** Samples a second at which Opus counts, whatever it was made of. */
export const OPUS_RATE = 48_000;

/** Milliseconds of a frame by the four groups of configurations: silk, hybrid, and the music codec. */
function frameMs(config: number): number {
  if (config < 12) return [10, 20, 40, 60][config & 3] as number;
  if (config < 16) return [10, 20][config & 1] as number;
  return [2.5, 5, 10, 20][config & 3] as number;
}

/** Samples of a packet, by its first bytes; 0 for one that is empty. */
export function opusSamples(packet: View): number {
  if (packet.length === 0) return 0;
  const first = packet.u8(0);
  const code = first & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : packet.length > 1 ? packet.u8(1) & 63 : 0;
  // No packet is longer than 120 ms.
  return Math.min(frames * frameMs(first >>> 3), 120) * (OPUS_RATE / 1000);
}
