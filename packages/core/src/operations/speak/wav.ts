/** The raw audio of all wires: 16 bits, one channel, little-endian, at this many samples a second. */
export const PCM_RATE = 24_000;
/** Bytes of a second of raw audio. */
export const PCM_BYTES = PCM_RATE * 2;
/** A length in a header that is written before the audio is there. */
const OPEN = 0xffffffff;

/** The header that makes raw audio a WAV file whose length is not known yet. */
export function wavHeader(): Uint8Array {
  const view = new DataView(new ArrayBuffer(44));
  const text = (at: number, value: string): void => {
    for (let index = 0; index < value.length; index++) view.setUint8(at + index, value.charCodeAt(index));
  };
  text(0, "RIFF");
  view.setUint32(4, OPEN, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, PCM_RATE, true);
  view.setUint32(28, PCM_BYTES, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, OPEN, true);
  return new Uint8Array(view.buffer);
}
