type Table = Record<string, Record<string, readonly [number, number]>>;

const row = (...sizes: [number, number][]): Table[string] => {
  const names = ["16:9", "4:3", "1:1", "3:4", "9:16", "21:9"];
  return Object.fromEntries(names.map((name, index) => [name, sizes[index]!]));
};

const SECOND: Table = {
  "480p": row([864, 496], [752, 560], [640, 640], [560, 752], [496, 864], [992, 432]),
  "720p": row([1280, 720], [1112, 834], [960, 960], [834, 1112], [720, 1280], [1470, 630]),
  "1080p": row([1920, 1080], [1664, 1248], [1440, 1440], [1248, 1664], [1080, 1920], [2206, 946]),
  "4k": row([3840, 2160], [3326, 2494], [2880, 2880], [2494, 3326], [2160, 3840], [4398, 1886]),
};
const FIRST: Table = {
  "480p": row([864, 480], [736, 544], [640, 640], [544, 736], [480, 864], [960, 416]),
  "720p": row([1248, 704], [1120, 832], [960, 960], [832, 1120], [704, 1248], [1504, 640]),
  "1080p": row([1920, 1088], [1664, 1248], [1440, 1440], [1248, 1664], [1088, 1920], [2176, 928]),
};
const HALF: Table = {
  ...SECOND,
  "480p": row([854, 480], [752, 560], [640, 640], [560, 752], [480, 854], [992, 432]),
};

/** The abilities of a video model. Its generation stands in its name. */
export interface VideoModel {
  generation: "1.0" | "1.5" | "2.0" | "2.5";
  seconds: [number, number];
  resolutions: string[];
  resolution: string;
  sizes: Table;
  /** The modes that images may be given in. */
  first: boolean;
  last: boolean;
  references: { image: number; video: number; audio: number };
  audio: boolean;
  cameraFixed: boolean;
  flex: boolean;
  draft: boolean;
}

const NONE = { image: 0, video: 0, audio: 0 };
const base: VideoModel = {
  generation: "2.0",
  seconds: [4, 15],
  resolutions: ["480p", "720p", "1080p", "4k"],
  resolution: "720p",
  sizes: SECOND,
  first: true,
  last: true,
  references: { image: 9, video: 3, audio: 3 },
  audio: true,
  cameraFixed: false,
  flex: false,
  draft: false,
};
const older: VideoModel = {
  ...base,
  generation: "1.0",
  seconds: [2, 12],
  resolutions: ["480p", "720p", "1080p"],
  resolution: "1080p",
  sizes: FIRST,
  references: NONE,
  audio: false,
  cameraFixed: true,
  flex: true,
};

const MODELS: [pattern: RegExp, model: VideoModel][] = [
  [/-2-0-(fast|mini)/, { ...base, resolutions: ["480p", "720p"] }],
  [
    /-2-5/,
    {
      ...base,
      generation: "2.5",
      seconds: [4, 30],
      resolutions: ["480p", "720p", "1080p"],
      sizes: HALF,
      references: { image: 30, video: 10, audio: 10 },
      draft: true,
    },
  ],
  [
    /-1-5/,
    {
      ...older,
      generation: "1.5",
      seconds: [4, 12],
      resolution: "720p",
      sizes: SECOND,
      audio: true,
      draft: true,
    },
  ],
  [/-1-0-pro-fast/, { ...older, last: false }],
  [/-1-0-lite-t2v/, { ...older, resolution: "720p", first: false, last: false }],
  [/-1-0-lite/, { ...older, resolution: "720p", references: { ...NONE, image: 4 } }],
  [/-1-0/, older],
  [/./, base],
];

/** The model behind a name; names of no known generation are of the second. */
export function videoModel(name: string): VideoModel {
  return MODELS.find(([pattern]) => pattern.test(name))![1];
}

/** Frames of so many seconds: real films of all but the first generation have one more. */
export function framesOf({ generation }: VideoModel, seconds: number): number {
  return Math.round(seconds * 24) + (generation === "1.0" ? 0 : 1);
}

/** The tokens of a film of this size, the inputs included. */
export function tokensOf(
  model: VideoModel,
  {
    size: [width, height],
    seconds,
    input,
  }: { size: readonly [number, number]; seconds: number; input: number },
): number {
  const least = model.generation === "2.0" && input > 0 ? Math.ceil((seconds * 5) / 3) : 0;
  const frames = framesOf(model, Math.max(seconds + input, least));
  return Math.floor((width * height * frames) / 1024);
}
