/** The first bits of the fractional parts of a root of the first primes. */
const constants = (count: number, root: (prime: number) => number): Int32Array => {
  const words: number[] = [];
  for (let n = 2; words.length < count; n++) {
    let isPrime = true;
    for (let factor = 2; factor * factor <= n && isPrime; factor++) isPrime = n % factor !== 0;
    if (isPrime) words.push((root(n) % 1) * 2 ** 32);
  }
  return Int32Array.from(words);
};
const ROUNDS = constants(64, Math.cbrt);
const START = constants(8, Math.sqrt);

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

const encoder = new TextEncoder();

/**
 * The SHA-256 of a text, as eight words of 32 bits. For choices that every process has to make alike; runtimes other
 * than Node offer no hash without a promise.
 */
export function sha256(text: string): Int32Array {
  const bytes = encoder.encode(text);
  const state = START.slice();
  const length = ((bytes.length + 8) >>> 6) * 16 + 16;
  for (let block = 0; block < length; block += 16) {
    for (let i = 0; i < 16; i++) words[i] = wordAt(bytes, (block + i) * 4);
    // The last word is the number of bits; texts are shorter than 512 MiB.
    if (block + 16 === length) words[15] = bytes.length * 8;
    addBlock(state);
  }
  return state;
}

/** Four bytes; behind the last one comes a bit, and then nothing. */
function wordAt(bytes: Uint8Array, at: number): number {
  let word = 0;
  for (let i = at; i < at + 4; i++)
    word = (word << 8) | (i < bytes.length ? (bytes[i] as number) : i === bytes.length ? 0x80 : 0);
  return word;
}

/** The words of the current block, and those that follow from them. */
const words = new Int32Array(64);

function addBlock(state: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15] as number;
    const late = words[i - 2] as number;
    const mixed = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const mixedLate = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[i] = (words[i - 16] as number) + mixed + (words[i - 7] as number) + mixedLate;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < 64; i++) {
    const sum = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sum + choice + (ROUNDS[i] as number) + (words[i] as number)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + word;
}
