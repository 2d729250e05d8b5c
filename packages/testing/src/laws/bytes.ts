/** The most places at which a long text is cut, so that checking a law stays fast. */
const MOST = 600;

/**
 * Ways in which the network may cut bytes: into single bytes, and in two at every place, inside characters too. Long
 * texts are cut in two at regular distances only.
 */
export function* everySplit(bytes: Uint8Array): Generator<Uint8Array[]> {
  yield Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  const stride = Math.max(1, Math.floor(bytes.length / MOST));
  for (let at = 0; at <= bytes.length; at += stride) yield [bytes.subarray(0, at), bytes.subarray(at)];
}
