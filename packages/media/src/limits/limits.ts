/** Smallest and largest allowed value; with `exclusive`, neither of the two themselves. */
export interface Bounds {
  /** The smallest allowed value. */
  min?: number;
  /** The largest allowed value. */
  max?: number;
  /** Neither bound is allowed itself. */
  exclusive?: boolean;
}

/** The limits of a media file; a property that is not named is not limited. */
export interface MediaLimits {
  /** The media types that are allowed: `image/png`. */
  mediaTypes: readonly string[];
  /** Bytes. */
  size?: Bounds;
  /** Width over height, of at most one decimal. */
  ratio?: Bounds;
  /** Pixels, of width and height alike. */
  edge?: Bounds;
  /** Width times height. */
  pixels?: Bounds;
  /** How long it may play. */
  seconds?: Bounds;
  /** Frames in a second. */
  fps?: Bounds;
}

/** The types of identity assets. */
export type AssetType = "Image" | "Video" | "Audio";

const MIB = 1024 * 1024;

/** Seconds that a file may be too short or too long: encoders pad sound, so 15 s become up to 15.1. */
export const TOLERANCE = 0.1;

const VIDEO_TYPES = ["video/mp4", "video/quicktime"] as const;

/** The limits of identity assets, by type. */
export const assetLimits: Record<AssetType, MediaLimits> = {
  Image: {
    mediaTypes: [
      "image/jpeg",
      "image/png",
      "image/webp",
      "image/bmp",
      "image/tiff",
      "image/gif",
      "image/heic",
      "image/heif",
    ],
    size: { max: 30 * MIB, exclusive: true },
    ratio: { min: 0.4, max: 2.5, exclusive: true },
    edge: { min: 300, max: 6000, exclusive: true },
  },
  Video: {
    mediaTypes: VIDEO_TYPES,
    size: { max: 50 * MIB },
    ratio: { min: 0.4, max: 2.5 },
    edge: { min: 300, max: 6000 },
    pixels: { min: 409_600, max: 2_086_876 },
    seconds: { min: 2, max: 15 },
    fps: { min: 24, max: 60 },
  },
  Audio: {
    mediaTypes: ["audio/wav", "audio/mpeg"],
    size: { max: 15 * MIB },
    seconds: { min: 2, max: 15 },
  },
};

/** The limits of recordings to be transcribed, of which films have the sound. How long one may play is its model's. */
export const recordingLimits: MediaLimits = {
  mediaTypes: [
    "audio/mpeg",
    "audio/wav",
    "audio/mp4",
    "audio/webm",
    "audio/ogg",
    "audio/flac",
    "audio/aac",
    "audio/x-matroska",
    "video/mp4",
    "video/webm",
    "video/quicktime",
    "video/3gpp",
    "video/x-matroska",
  ],
};

/** The limits of sound and moving pictures that are embedded. */
export const embedLimits: Record<"audio" | "video", MediaLimits> = {
  audio: { mediaTypes: ["audio/wav"], seconds: { max: 180 } },
  video: { mediaTypes: VIDEO_TYPES, seconds: { max: 120 } },
};
