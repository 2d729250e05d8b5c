/** The facts of a still or animated picture. Edges are pixels as coded: no rotation or crop is applied. */
export interface ImageProbe {
  kind: "image";
  mediaType: `image/${string}`;
  /** Bytes. */
  size: number;
  width: number;
  height: number;
}

/** The facts of a file with a moving picture. */
export interface VideoProbe {
  kind: "video";
  mediaType: `video/${string}`;
  /** Bytes. */
  size: number;
  /** Pixels as coded: no rotation or pixel shape is applied. */
  width: number;
  height: number;
  /** The longer of picture and sound, edits applied. */
  seconds: number;
  /** Frames per second: frames in the file over the time they take, the average where the rate varies. */
  fps: number;
  /** It has no sound. */
  isSilent?: true;
}

/** The facts of a file of sound alone. */
export interface AudioProbe {
  kind: "audio";
  mediaType: `audio/${string}`;
  /** Bytes. */
  size: number;
  /** The sum of the samples or frames in the file, whatever its headers say. */
  seconds: number;
}

/** A file that is recognised and not looked into. */
export interface DocumentProbe {
  kind: "document";
  mediaType: "application/pdf";
  /** Bytes. */
  size: number;
}

/** The facts of a file by its bytes; its name and declared type play no part. */
export type Probe = ImageProbe | VideoProbe | AudioProbe | DocumentProbe;

/**
 * The reasons why a file could not be measured: no format we know, bytes missing at its end, contents that contradict
 * themselves or cost too much to read, or no answer before the deadline of a prober.
 */
export type ProbeFailureCode = "unsupported_format" | "truncated" | "unreadable_file" | "timeout";

export interface ProbeFailure {
  kind: "failure";
  code: ProbeFailureCode;
  message: string;
}

type WithoutSize<One> = One extends Probe ? Omit<One, "size"> : never;

/** The findings of one format's reader; the size is the file's. */
export type Finding = WithoutSize<Probe>;
