import { checkAsset, checkEmbed, type Probe, type ProbeFailureCode, probe } from "@manifold-gateway/media";
import fc from "fast-check";
import { expect, test } from "vitest";
import { opus } from "../../packages/simulator/src/samples/opus.ts";
import { box } from "./build/boxes.ts";
import { ascii, type Bytes, be, cat, le, patched, place, raw, repeated, zeros } from "./build/bytes.ts";
import { heicGrid, heifOf } from "./build/heif.ts";
import { application, bmp, jpeg, png, webpExtended } from "./build/images.ts";
import { matroska } from "./build/matroska.ts";
import { movie } from "./build/movies.ts";
import { flac, id3, index, mp3, wav } from "./build/sounds.ts";
import { samples } from "./samples.ts";

const SIZE = { width: 700, height: 400 };
const random = (length: number): Bytes =>
  Uint8Array.from({ length }, (_, at) => (at * 7919 + (at >> 3) * 31) & 0x7f);

/** A field of the file's first table of a type, counted from the table's type, with other bytes. */
const inTable = (file: Bytes, type: string, at: number, value: number): Bytes =>
  patched(file, place(file, type) + at, be(4, value));

const refused: [what: string, bytes: Bytes, code: ProbeFailureCode][] = [
  ["no bytes at all", zeros(0), "truncated"],
  ["one byte", zeros(1), "unsupported_format"],
  ["a megabyte of zeros", zeros(2 ** 20), "unsupported_format"],
  ["drawing instructions named .png", ascii('<svg width="800" height="600"></svg>'), "unsupported_format"],
  ["a web page named .mp4", ascii("<!doctype html><html></html>"), "unsupported_format"],
  ["matroska without elements", cat(raw(0x1a, 0x45, 0xdf, 0xa3), zeros(100)), "unreadable_file"],
  ["random bytes", random(5000), "unsupported_format"],
  ["adaptive sound frames", cat(raw(0xff, 0xf1, 0x50, 0x80), zeros(100)), "unsupported_format"],
  ["a png that ends after 20 bytes", png(SIZE).slice(0, 20), "truncated"],
  ["a png with another size in its header", patched(png(SIZE), 16, be(4, 900)), "unreadable_file"],
  ["a png without data", cat(png(SIZE).slice(0, 33), png(SIZE).slice(-12)), "unreadable_file"],
  ["a png of no height", png({ width: 700, height: 0 }), "unreadable_file"],
  ["a jpeg with its frame after the data", jpeg(SIZE).slice(0, 20), "truncated"],
  [
    "a webp whose canvas is larger than its picture",
    webpExtended(SIZE, { width: 70, height: 40 }),
    "unreadable_file",
  ],
  ["a bmp whose pixels are missing", patched(bmp(SIZE), 22, le(4, 40_000)), "truncated"],
  ["an mp4 with times for 2^32-1 frames", inTable(movie(), "stts", 12, 2 ** 32 - 1), "unreadable_file"],
  [
    "an mp4 with 2^31 frames of one size",
    inTable(inTable(inTable(movie(), "stts", 12, 2 ** 31), "stsz", 8, 1), "stsz", 12, 2 ** 31),
    "unreadable_file",
  ],
  ["an mp4 with a table of 2^32-1 times", inTable(movie(), "stts", 8, 2 ** 32 - 1), "truncated"],
  [
    "an mp4 with 2^32-1 edits",
    inTable(movie({ edits: [[1000, 0]] }), "elst", 8, 2 ** 32 - 1),
    "unreadable_file",
  ],
  ["an mp4 whose frames lie outside the file", inTable(movie(), "stco", 12, 10 ** 6), "truncated"],
  [
    "an mp4 whose last frames lie outside the file",
    inTable(movie(), "stco", 12, movie().length - 2),
    "truncated",
  ],
  ["an mp4 with an edit that begins after its end", movie({ edits: [[1000, 6000]] }), "unreadable_file"],
  ["an mp4 whose clock stands still", inTable(movie(), "mdhd", 16, 0), "unreadable_file"],
  ["an mp4 without an index", box("ftyp", ascii("isom"), zeros(4)), "unreadable_file"],
  [
    "an mp4 with an index of 9 MB",
    cat(box("ftyp", ascii("isom"), zeros(4)), box("moov", zeros(9 * 2 ** 20))),
    "unreadable_file",
  ],
  [
    "an mp4 of empty boxes",
    cat(box("ftyp", ascii("isom"), zeros(4)), repeated(box("free"), 200_000)),
    "unreadable_file",
  ],
  ["a wav without blocks", wav({ block: 0 }), "unreadable_file"],
  ["a wav whose blocks do not fit its samples", wav({ block: 9 }), "unreadable_file"],
  [
    "a wav that keeps quiet about half of its sound",
    cat(wav({ seconds: 3, rate: 8000 }), zeros(36_000)),
    "unreadable_file",
  ],
  ["a wav in a coding of telephones of old", wav({ coding: 0x31 }), "unsupported_format"],
  ["an ID3 tag larger than its file", id3(50_000, zeros(300)), "truncated"],
  ["an ID3 tag before random bytes", cat(id3(100), random(50_000)), "unreadable_file"],
  ["an ID3 tag and nothing", id3(100), "unreadable_file"],
  ["an Ogg file that goes on behind a byte of junk", cat(opus(2), raw(0), opus(60)), "unreadable_file"],
  ["an Ogg file that hides sound in a tag", cat(opus(2), id3(opus(60).length, opus(60))), "unreadable_file"],
  ["a Matroska file whose clock is ten times too fast", matroska({ scale: 100_000 }), "unreadable_file"],
  ["a Matroska film of that kind", matroska({ scale: 100_000, filmed: true }), "unreadable_file"],
  [
    "a Matroska file of that kind that describes its tracks twice",
    matroska({ scale: 100_000, again: true }),
    "unreadable_file",
  ],
  ["a Matroska file with too much sound for its channels", matroska({ kilobits: 640 }), "unreadable_file"],
  ["a Matroska file with a second segment", matroska({ segments: 2 }), "unreadable_file"],
  ["a FLAC file with another rate in its frames", flac({ rate: 192_000, code: 9 }), "unreadable_file"],
  [
    "a FLAC file whose frames say another rate in bytes of their own",
    flac({ rate: 192_000, code: 14, own: [0x11, 0x3a] }),
    "unreadable_file",
  ],
];

test.each(refused)("%s is refused", (_, bytes, code) => {
  expect(probe(bytes)).toEqual({ kind: "failure", code, message: expect.stringMatching(/^The f.*\.$/) });
});

const measured: [what: string, bytes: Bytes, is: Partial<Probe>][] = [
  [
    "a jpeg with 3 MB before its size",
    jpeg(SIZE, { before: Array.from({ length: 48 }, () => application(65_000)) }),
    SIZE,
  ],
  ["a jpeg with a movie behind it", cat(jpeg(SIZE), movie()), { mediaType: "image/jpeg", ...SIZE }],
  ["a phone's grid of tiles", heicGrid({ width: 4032, height: 3024 }), { width: 4032, height: 3024 }],
  [
    "a heic with an unrelated larger picture",
    heifOf({
      brands: ["heic"],
      main: 2,
      items: [
        { id: 1, coding: "hvc1", size: { width: 800, height: 600 } },
        { id: 2, coding: "hvc1", size: { width: 100, height: 100 } },
      ],
    }),
    { width: 100, height: 100 },
  ],
  [
    "a heif whose thumbnail stands first",
    heifOf({
      brands: ["mif1"],
      main: 9,
      items: [
        { id: 3, coding: "hvc1", size: { width: 160, height: 120 } },
        { id: 9, coding: "hvc1", size: SIZE },
      ],
    }),
    { mediaType: "image/heif", ...SIZE },
  ],
  [
    "a picture that says it is heic and is coded as avif",
    heifOf({ brands: ["heic"], main: 1, items: [{ id: 1, coding: "av01", size: SIZE }] }),
    { mediaType: "image/avif" },
  ],
  ["an mp4 that claims to be shorter", movie({ claimed: 3 }), { seconds: 5, fps: 24 }],
  ["an mp4 that claims to be longer", movie({ claimed: 60 }), { seconds: 5, fps: 24 }],
  ["an mp4 with an edit that is longer than it", movie({ edits: [[60_000, 0]] }), { seconds: 5 }],
  [
    "an mp4 that begins with nothing",
    movie({
      edits: [
        [2000, -1],
        [5000, 0],
      ],
    }),
    { seconds: 7 },
  ],
  [
    "an mp4 of a varying rate",
    movie({
      runs: [
        [60, 10],
        [60, 40],
      ],
    }),
    { seconds: 5, fps: 24 },
  ],
  [
    "an mp4 with sound alone",
    movie({ picture: false, sound: 9.6 }),
    { kind: "audio", mediaType: "audio/mp4" },
  ],
  ["a wav with no byte rate", wav({ byteRate: 0 }), { seconds: 5 }],
  ["a wav with a doubled byte rate", wav({ byteRate: 2000 }), { seconds: 5 }],
  ...[0xffffffff, 0x7fffffff, 0x7ffff000].map((claimed): [string, Bytes, Partial<Probe>] => [
    `a wav from a pipe that claims ${claimed} bytes`,
    wav({ claimed }),
    { seconds: 5 },
  ]),
  ["a wav with a tag behind it", cat(wav(), ascii("TAG"), zeros(125)), { seconds: 5 }],
  ["an mp3 with an index that claims 3 s", mp3({ seconds: 7.2, before: [index(125)] }), { seconds: 7.2 }],
  [
    "an mp3 of a varying rate without index",
    mp3({ seconds: 7.2, kilobits: [128, 32, 32, 32] }),
    { seconds: 7.2 },
  ],
  [
    "an mp3 with a tag behind it",
    mp3({ seconds: 4.8, after: [cat(ascii("TAG"), zeros(125))] }),
    { seconds: 4.8 },
  ],
  ["an mp3 with padding before it", mp3({ seconds: 4.8, before: [id3(10), zeros(2000)] }), { seconds: 4.8 }],
  [
    "an mp3 that goes on behind junk",
    mp3({ seconds: 4.8, after: [zeros(3000), mp3({ seconds: 4.8 })] }),
    { seconds: 9.6 },
  ],
  [
    "an mp3 that hides sound behind the claim of a tag",
    mp3({ seconds: 4.8, after: [id3(10 ** 6, zeros(0)), mp3({ seconds: 4.8 })] }),
    { seconds: 9.6 },
  ],
  ["an Ogg file with another behind it", cat(opus(2), opus(3)), { mediaType: "audio/ogg", seconds: 5.027 }],
  ["an Ogg file with a tag behind it", cat(opus(2), ascii("TAG"), zeros(125)), { mediaType: "audio/ogg" }],
  ["a Matroska file", matroska(), { mediaType: "audio/x-matroska", seconds: 5 }],
  ["a Matroska film", matroska({ filmed: true }), { mediaType: "video/x-matroska", seconds: 5 }],
  ["a Matroska file of surround sound", matroska({ kilobits: 640, channels: 6 }), { seconds: 5 }],
  ["a Matroska file of raw sound", matroska({ codec: "A_PCM/INT/LIT", kilobits: 1536 }), { seconds: 5 }],
  ["a FLAC file with its rate in its frames", flac({ code: 9 }), { seconds: 409_600 / 44_100 }],
  [
    "a FLAC file with its rate in bytes of its frames",
    flac({ code: 14, own: [0x11, 0x3a] }),
    { seconds: 409_600 / 44_100 },
  ],
  ["a document", ascii("%PDF-1.7\n"), { kind: "document", mediaType: "application/pdf" }],
];

test.each(measured)("%s is measured by what is in it", (_, bytes, is) => {
  const close = "seconds" in is ? { ...is, seconds: expect.closeTo(is.seconds as number, 6) } : is;
  expect(probe(bytes)).toMatchObject(close);
});

test("no file that is cut short becomes active, but an mp3, which is a shorter one", () => {
  for (const { name, bytes, is, asset } of samples.filter(({ bytes }) => bytes.length < 40_000)) {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length - 1 }), (length) => {
        const found = probe(bytes.subarray(0, length));
        if (is.mediaType !== "audio/mpeg") expect([name, checkAsset(found, asset)]).not.toEqual([name, []]);
        else if (found.kind === "audio") expect(found.seconds).toBeLessThan(is.seconds);
      }),
    );
  }
});

test("the finding on a cut file says that it is cut", () => {
  for (const file of [jpeg(SIZE), png(SIZE), bmp(SIZE), movie(), movie({ indexFirst: false }), wav()]) {
    const half = probe(file.subarray(0, file.length / 2));
    expect(half).toMatchObject({ code: "truncated" });
    expect(checkAsset(half, "Image")).toMatchObject([{ code: "unreadable_file" }]);
  }
});

test("the bytes of a file decide its type, not the type that was declared", () => {
  expect(checkAsset(probe(mp3()), "Video")).toEqual([
    {
      code: "unsupported_format",
      message: "The file is audio/mpeg; a Video asset must be video/mp4 or video/quicktime.",
    },
  ]);
  expect(checkAsset(probe(zeros(100)), "Audio")).toMatchObject([
    { code: "unsupported_format", message: expect.stringContaining("audio/wav or audio/mpeg") },
  ]);
  expect(checkEmbed(probe(mp3()), "audio")).toMatchObject([{ code: "unsupported_format" }]);
  expect(checkEmbed(probe(wav({ seconds: 180 })), "audio")).toEqual([]);
  expect(checkEmbed(probe(wav({ seconds: 181 })), "audio")).toMatchObject([
    {
      code: "duration_out_of_range",
      message: "The duration is 181 s; an audio part must have at most 180 s.",
    },
  ]);
  expect(checkEmbed(probe(movie({ runs: [[121, 600]] })), "video")).toMatchObject([
    { code: "duration_out_of_range" },
  ]);
});
