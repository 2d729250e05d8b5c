/** The most places at which a long text is cut, so that a law takes no time to speak of. */
const MOST = 600;

/**
 * Ways in which the network may cut bytes: each by itself, and in two at every place, inside characters too. Of long
 * ones places at regular distances are taken.
 */
export function* everySplit(bytes: Uint8Array): Generator<Uint8Array[]> {
  yield Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  const stride = Math.max(1, Math.floor(bytes.length / MOST));
  for (let at = 0; at <= bytes.length; at += stride) yield [bytes.subarray(0, at), bytes.subarray(at)];
}
