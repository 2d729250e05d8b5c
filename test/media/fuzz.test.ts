import { checkAsset, type Probe, probe } from "@manifold-gateway/media";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ProbeFailure } from "../../packages/media/src/types.ts";
import type { Bytes } from "./build/bytes.ts";
import { oracles } from "./oracle/index.ts";
import { type Sample, samples } from "./samples.ts";

/** A change of a file: bytes written over, left out, put in from another file, or moved. Places are parts of it. */
type Mutation =
  | { type: "write"; place: number; bytes: number[] }
  | { type: "cut"; place: number }
  | { type: "drop"; place: number; length: number }
  | { type: "splice"; place: number; donor: number; from: number; length: number }
  | { type: "swap"; place: number; other: number };

/** Without bias, which would spend most changes on the first byte. */
const place = fc.noBias(fc.integer({ min: 0, max: 99_999 })).map((part) => part / 100_000);
/** Structure stands at the beginning of most formats. */
const early = fc.oneof({ weight: 1, arbitrary: place.map((at) => at ** 3) }, { weight: 1, arbitrary: place });
const byte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 1, 0x7f, 0x80, 0xfe, 0xff));

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("write" as const),
      place: early,
      bytes: fc.array(byte, { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("cut" as const), place }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("drop" as const),
      place: early,
      length: fc.integer({ min: 1, max: 64 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("splice" as const),
      place: early,
      donor: fc.nat(samples.length - 1),
      from: early,
      length: fc.integer({ min: 1, max: 2000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("swap" as const), place: early, other: place }) },
);

function mutate(file: Uint8Array, change: Mutation): Uint8Array {
  const at = Math.floor(change.place * file.length);
  switch (change.type) {
    case "write": {
      const copy = Uint8Array.from(file);
      copy.set(change.bytes.slice(0, file.length - at), at);
      return copy;
    }
    case "cut":
      return file.slice(0, at);
    case "drop":
      return Buffer.concat([file.subarray(0, at), file.subarray(at + change.length)]);
    case "splice": {
      const { bytes } = samples[change.donor] as Sample;
      const from = Math.floor(change.from * bytes.length);
      return Buffer.concat([
        file.subarray(0, at),
        bytes.subarray(from, from + change.length),
        file.subarray(at),
      ]);
    }
    default: {
      const other = Math.floor(change.other * file.length);
      const [first, second] = [Math.min(at, other), Math.max(at, other)];
      return Buffer.concat([file.subarray(second), file.subarray(first, second), file.subarray(0, first)]);
    }
  }
}

const small = samples.filter(({ bytes }) => bytes.length < 40_000);
const RUNS = Number(process.env.FUZZ_RUNS ?? 150);

/** Runs a body for mutations of a file. */
const fuzz = (bytes: Bytes, body: (file: Uint8Array) => void): void =>
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (changes) =>
      body(changes.reduce(mutate, bytes)),
    ),
    { numRuns: RUNS },
  );

const types = ["Image", "Video", "Audio"] as const;

/** A file that may become active says the same to a reader that is not ours. */
function agree(file: Uint8Array, found: Probe): void {
  const opinion = oracles[found.mediaType]?.(Buffer.from(file));
  const { width, height, seconds, fps } = {
    width: undefined,
    height: undefined,
    seconds: undefined,
    fps: undefined,
    ...found,
  };
  expect([opinion?.width, opinion?.height]).toEqual([width, height]);
  if (seconds !== undefined)
    expect(opinion?.seconds).toBeCloseTo(seconds, found.mediaType === "audio/mpeg" ? 0 : 3);
  if (fps !== undefined) expect(opinion?.fps).toBeCloseTo(fps, 3);
}

test.each(small)("$name, mutated, is measured as another reader does or fails", ({ bytes }) => {
  fuzz(bytes, (file) => {
    const found: Probe | ProbeFailure = probe(file);
    if (found.kind !== "failure" && types.some((type) => checkAsset(found, type).length === 0))
      agree(file, found);
    else if (found.kind === "failure") expect(found.message).toMatch(/^The f.*\.$/);
  });
});

/** Steps that a file may cost: a fixed sum for its structure and some for each of its bytes. */
const allowance = (length: number): number => 2000 + 50 * length;

test.each(small)("$name, mutated, costs no more steps than its length warrants", ({ bytes }) => {
  fuzz(bytes, (file) => {
    expect(probe(file, { steps: allowance(file.length) })).toEqual(probe(file));
  });
});

test("probing any bytes ends in a value", () => {
  const starts = samples.map(({ bytes }) => bytes.slice(0, 24));
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 3000 }), (start, rest) => {
      expect(probe(Buffer.concat([start, rest])).kind).toMatch(/failure|image|video|audio/);
    }),
    { numRuns: 1000 },
  );
});

test("no file takes more steps than it is given", () => {
  fc.assert(
    fc.property(fc.constantFrom(...small), fc.integer({ min: 0, max: 5000 }), ({ bytes }, steps) => {
      let pages = 0;
      const read = (offset: number, length: number): Uint8Array => {
        pages++;
        return bytes.subarray(offset, offset + length);
      };
      const found = probe({ size: bytes.length, read }, { steps });
      expect(pages * 16).toBeLessThanOrEqual(steps);
      if (found.kind === "failure") expect(found).toMatchObject({ code: "unreadable_file" });
      else expect(found).toEqual(probe(bytes));
    }),
  );
});
