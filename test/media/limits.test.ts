import { type AssetType, checkAsset, type MediaIssueCode, type Probe } from "@manifold-gateway/media";
import fc from "fast-check";
import { expect, test } from "vitest";

const MIB = 1024 * 1024;

/** A file in the middle of the limits of each type. */
const good: Record<AssetType, Probe> = {
  Image: { kind: "image", mediaType: "image/png", size: 1000, width: 800, height: 600 },
  Video: { kind: "video", mediaType: "video/mp4", size: 1000, width: 1280, height: 720, seconds: 5, fps: 30 },
  Audio: { kind: "audio", mediaType: "audio/wav", size: 1000, seconds: 5 },
};

type Change = {
  mediaType?: string;
  size?: number;
  width?: number;
  height?: number;
  seconds?: number;
  fps?: number;
};

/** Issues of a good file with something changed. */
const issuesOf = (type: AssetType, change: Change): MediaIssueCode[] =>
  checkAsset({ ...good[type], ...change } as Probe, type).map(({ code }) => code);

const kept: [AssetType, Change][] = [
  ...["jpeg", "png", "webp", "bmp", "tiff", "gif", "heic", "heif"].map((name): [AssetType, Change] => [
    "Image",
    { mediaType: `image/${name}` },
  ]),
  ["Image", { size: 30 * MIB - 1 }],
  ["Image", { width: 301, height: 301 }],
  ["Image", { width: 5999, height: 5999 }],
  ["Image", { width: 2499, height: 1000 }],
  ["Image", { width: 1000, height: 2499 }],
  ["Video", { mediaType: "video/quicktime" }],
  ["Video", { size: 50 * MIB }],
  ["Video", { width: 1500, height: 600 }],
  ["Video", { width: 600, height: 1500 }],
  ["Video", { width: 640, height: 640 }],
  ["Video", { width: 2086, height: 1000 }],
  ["Video", { width: 1282, height: 1627 }],
  ["Video", { seconds: 2 }],
  ["Video", { seconds: 15 }],
  ["Video", { seconds: 1.9 }],
  ["Video", { seconds: 15.1 }],
  ["Video", { fps: 24 }],
  ["Video", { fps: 23.9951 }],
  ["Video", { fps: 60 }],
  ["Video", { fps: 60_000 / 1001 }],
  ["Audio", { mediaType: "audio/mpeg" }],
  ["Audio", { size: 15 * MIB }],
  ["Audio", { seconds: 2 }],
  ["Audio", { seconds: 15.073 }],
  ["Audio", { seconds: 15.1 }],
];

test.each(kept)("%s keeps its limits with %j", (type, change) => {
  expect(issuesOf(type, change)).toEqual([]);
});

const broken: [AssetType, Change, MediaIssueCode][] = [
  ["Image", { mediaType: "image/avif" }, "unsupported_format"],
  ["Image", { mediaType: "image/svg+xml" }, "unsupported_format"],
  ["Image", { size: 30 * MIB }, "file_too_large"],
  ["Image", { width: 300, height: 400 }, "edge_out_of_range"],
  ["Image", { width: 400, height: 300 }, "edge_out_of_range"],
  ["Image", { width: 6000, height: 3000 }, "edge_out_of_range"],
  ["Image", { width: 3000, height: 6000 }, "edge_out_of_range"],
  ["Image", { width: 2500, height: 1000 }, "aspect_ratio_out_of_range"],
  ["Image", { width: 1000, height: 2500 }, "aspect_ratio_out_of_range"],
  ["Video", { mediaType: "video/3gpp" }, "unsupported_format"],
  ["Video", { size: 50 * MIB + 1 }, "file_too_large"],
  ["Video", { width: 1501, height: 600 }, "aspect_ratio_out_of_range"],
  ["Video", { width: 600, height: 1501 }, "aspect_ratio_out_of_range"],
  ["Video", { width: 640, height: 639 }, "pixels_out_of_range"],
  ["Video", { width: 2086877, height: 1 }, "pixels_out_of_range"],
  ["Video", { width: 1448, height: 1442 }, "pixels_out_of_range"],
  ["Video", { seconds: 1.899 }, "duration_out_of_range"],
  ["Video", { seconds: 15.101 }, "duration_out_of_range"],
  ["Video", { fps: 24_000 / 1001 }, "fps_out_of_range"],
  ["Video", { fps: 60.01 }, "fps_out_of_range"],
  ["Audio", { mediaType: "audio/mp4" }, "unsupported_format"],
  ["Audio", { size: 15 * MIB + 1 }, "file_too_large"],
  ["Audio", { seconds: 1.899 }, "duration_out_of_range"],
  ["Audio", { seconds: 15.101 }, "duration_out_of_range"],
];

test.each(broken)("%s breaks a limit with %j", (type, change, code) => {
  expect(issuesOf(type, change)).toContain(code);
});

/** Edges of a video can only be met with the number of pixels broken as well, or the ratio. */
test.each([
  [299, ["aspect_ratio_out_of_range", "edge_out_of_range"]],
  [300, ["aspect_ratio_out_of_range"]],
  [6000, ["aspect_ratio_out_of_range"]],
  [6001, ["aspect_ratio_out_of_range", "edge_out_of_range"]],
])("the limit on an edge holds for a video with %i px", (edge, codes) => {
  const other = edge < 1000 ? 1400 : 340;
  for (const change of [
    { width: edge, height: other },
    { width: other, height: edge },
  ])
    expect(issuesOf("Video", change)).toEqual(codes);
});

test("every message names what was measured and what is allowed", () => {
  expect(
    checkAsset({ ...good.Image, width: 3000, height: 300 } as Probe, "Image").map(({ message }) => message),
  ).toEqual([
    "The aspect ratio (width / height) is 10 (3000×300); an Image asset must have more than 0.4 and less than 2.5.",
    "The height is 300 px; an Image asset must have more than 300 px and less than 6000 px.",
  ]);
  expect(checkAsset({ ...good.Video, fps: 24_000 / 1001, seconds: 15.2 } as Probe, "Video")).toEqual([
    {
      code: "duration_out_of_range",
      message: "The duration is 15.2 s; a Video asset must have at least 2 s and at most 15 s.",
    },
    {
      code: "fps_out_of_range",
      message: "The frame rate is 23.98 fps; a Video asset must have at least 24 fps and at most 60 fps.",
    },
  ]);
  expect(checkAsset({ ...good.Audio, size: 15_728_641 } as Probe, "Audio")).toEqual([
    {
      code: "file_too_large",
      message: "The file size is 15728641 bytes; an Audio asset must have at most 15728640 bytes.",
    },
  ]);
});

test("turning a picture changes no verdict", () => {
  const edge = fc.integer({ min: 250, max: 6100 });
  fc.assert(
    fc.property(fc.constantFrom<AssetType>("Image", "Video"), edge, edge, (type, width, height) => {
      expect(issuesOf(type, { width, height })).toEqual(issuesOf(type, { width: height, height: width }));
    }),
  );
});

test("a deadline that passed is reported as such", () => {
  const failure = { kind: "failure", code: "timeout", message: "The file took too long to read." } as const;
  expect(checkAsset(failure, "Image")).toEqual([{ code: "timeout", message: failure.message }]);
});
