const LENGTHS = [3, 7, 5, 11];
const MOST = 48;
const SURROGATES = /[\ud800-\udfff]/;

/** A text in several pieces of whole characters, always the same ones; long texts come in longer pieces. */
export function pieces(text: string): string[] {
  // Only pairs of surrogates need a list of characters, which takes a hundred times as long as cutting the text.
  const chars = SURROGATES.test(text) ? [...text] : text;
  const scale = Math.max(1, Math.ceil(chars.length / (MOST * 6.5)));
  const cut: string[] = [];
  for (let at = 0; at < chars.length; ) {
    const length = LENGTHS[cut.length % LENGTHS.length]! * scale;
    const piece = chars.slice(at, at + length);
    cut.push(typeof piece === "string" ? piece : piece.join(""));
    at += length;
  }
  return cut;
}

/** Log probabilities, one for each piece. */
export function probabilities(text: string): { token: string; logprob: number; bytes: number[] }[] {
  return pieces(text).map((token) => ({
    token,
    logprob: -0.25 * (1 + (token.length % 4)),
    bytes: [...Buffer.from(token)],
  }));
}
