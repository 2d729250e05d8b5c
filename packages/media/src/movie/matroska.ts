import type { Format } from "../format.ts";
import { unreadable, unsupported } from "../probe-error.ts";
import { mostLossyBits } from "../sound/lossy.ts";
import { OPUS_RATE, opusSamples } from "../sound/opus.ts";
import type { View } from "../view.ts";

/** Identifiers of elements. */
const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TRACKS = 0x1654ae6b;
const CLUSTER = 0x1f43b675;
const SCALE = 0x2ad7b1;
const TRACK = 0xae;
const NUMBER = 0xd7;
const KIND = 0x83;
const CODEC = 0x86;
const AUDIO = 0xe1;
const CHANNELS = 0x9f;
const VIDEO = 0xe0;
const WIDTH = 0xb0;
const HEIGHT = 0xba;
const DOC_TYPE = 0x4282;
const CLUSTER_TIME = 0xe7;
const SIMPLE_BLOCK = 0xa3;
const GROUP = 0xa0;
const BLOCK = 0xa1;
const GROUP_DURATION = 0x9b;

/** The elements that a segment consists of: one of them ends another whose length is unknown. */
const LEVEL_1: ReadonlySet<number> = new Set([
  INFO,
  TRACKS,
  CLUSTER,
  0x114d9b74,
  0x1c53bb6b,
  0x1254c367,
  0x1043a770,
  0x1941a469,
]);

/** The cost of an element beside its bytes. */
const ELEMENT_STEPS = 4;
/** Nanoseconds of a tick, where the file does not say. */
const USUAL_SCALE = 1_000_000;
const SECOND = 1_000_000_000;
/** The most bits a second of sound whose codec may not be lossy. A file with more bytes says too little of its length. */
const MOST_BITS = 6_000_000;
/** The codecs that are always lossy. */
const LOSSY = ["A_OPUS", "A_VORBIS", "A_AAC", "A_MPEG"] as const;

/** A number whose first byte says how many bytes it has; its value without that mark. */
function varint(file: View, at: number): { value: number; bytes: number; isUnknown: boolean } {
  const first = file.u8(at);
  const bytes = Math.clz32(first) - 23;
  if (bytes > 8) throw unreadable("an element in it has no length");
  let value = first & (0xff >>> bytes);
  let isUnknown = value === 0xff >>> bytes;
  for (let index = 1; index < bytes; index++) {
    const byte = file.u8(at + index);
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value, bytes, isUnknown };
}

function idAt(file: View, at: number): { id: number; bytes: number } {
  const bytes = Math.clz32(file.u8(at)) - 23;
  if (bytes > 4) throw unreadable("an element in it has no name");
  let id = 0;
  for (let index = 0; index < bytes; index++) id = id * 256 + file.u8(at + index);
  return { id, bytes };
}

interface Element {
  id: number;
  body: View;
}

/**
 * The elements of a range. One of unknown length, as live recordings have them, ends with the range, or where `ends`
 * finds an element that cannot be in it.
 */
function* elements(range: View, ends?: (id: number) => boolean): Generator<Element> {
  for (let at = 0; at < range.length; ) {
    range.spend(ELEMENT_STEPS);
    const { id, bytes } = idAt(range, at);
    if (ends?.(id)) return;
    const size = varint(range, at + bytes);
    const body = at + bytes + size.bytes;
    const length = size.isUnknown ? openLength(range.slice(body), id) : size.value;
    yield { id, body: range.slice(body, length) };
    at = body + length;
  }
}

/** The length of an element that does not say it. */
function openLength(rest: View, id: number): number {
  if (id !== CLUSTER) return rest.length;
  let length = 0;
  for (const { body } of elements(rest, (next) => LEVEL_1.has(next))) length = body.end - rest.start;
  return length;
}

const numberIn = (body: View): number => {
  let value = 0;
  for (let index = 0; index < Math.min(body.length, 8); index++) value = value * 256 + body.u8(index);
  return value;
};

interface Track {
  kind: "video" | "audio" | "other";
  isOpus: boolean;
  isLossy: boolean;
  channels: number;
  width: number;
  height: number;
  /** Samples by the packets of Opus. */
  samples: number;
  blocks: number;
  /** The bytes of its blocks. */
  bytes: number;
}

function readTrack(body: View): [number: number, track: Track] {
  const track: Track = {
    kind: "other",
    isOpus: false,
    isLossy: false,
    channels: 1,
    width: 0,
    height: 0,
    samples: 0,
    blocks: 0,
    bytes: 0,
  };
  let number = 0;
  for (const { id, body: value } of elements(body)) {
    if (id === NUMBER) number = numberIn(value);
    else if (id === KIND) track.kind = ({ 1: "video", 2: "audio" } as const)[numberIn(value)] ?? "other";
    else if (id === CODEC) {
      track.isOpus = value.has("A_OPUS");
      track.isLossy = LOSSY.some((name) => value.has(name));
    } else if (id === AUDIO) {
      for (const { id: part, body: count } of elements(value))
        if (part === CHANNELS) track.channels = numberIn(count);
    } else if (id === VIDEO)
      for (const { id: edge, body: pixels } of elements(value)) {
        if (edge === WIDTH) track.width = numberIn(pixels);
        if (edge === HEIGHT) track.height = numberIn(pixels);
      }
  }
  return [number, track];
}

/** Adds a track. One that is described again, behind its blocks, does not lose what was counted of it. */
function addTrack(tracks: Map<number, Track>, [number, track]: [number, Track]): void {
  if (!tracks.has(number)) tracks.set(number, track);
}

/** The times of the blocks, in ticks: the last one and the longest pause tell how long the file plays. */
class Clock {
  readonly #tracks: ReadonlyMap<number, Track>;
  last = 0;

  constructor(tracks: ReadonlyMap<number, Track>) {
    this.#tracks = tracks;
  }

  block(body: View, base: number, duration: number): void {
    const number = varint(body, 0);
    const track = this.#tracks.get(number.value);
    if (!track || track.kind === "other") return;
    const raw = body.u16(number.bytes);
    const time = base + (raw >= 0x8000 ? raw - 0x10000 : raw);
    this.last = Math.max(this.last, time + duration);
    track.bytes += body.length;
    track.blocks += 1;
    if (track.isOpus) track.samples += opusSamples(body.slice(number.bytes + 3));
  }
}

function readCluster(cluster: View, clock: Clock): void {
  let base = 0;
  for (const { id, body } of elements(cluster)) {
    if (id === CLUSTER_TIME) base = numberIn(body);
    else if (id === SIMPLE_BLOCK) clock.block(body, base, 0);
    else if (id === GROUP) {
      const parts = [...elements(body)];
      const duration = parts.find(({ id: part }) => part === GROUP_DURATION);
      for (const { id: part, body: block } of parts)
        if (part === BLOCK) clock.block(block, base, duration ? numberIn(duration.body) : 0);
    }
  }
}

/** Matroska and WebM. Lengths come from the times of the blocks and from Opus packets, never from a header. */
export const matroska: Format = {
  is: (file) => file.length > 4 && file.u32(0) === EBML,
  read(file) {
    let isWeb = false;
    let segment: View | undefined;
    for (const { id, body } of elements(file)) {
      if (id === EBML)
        for (const { id: part, body: value } of elements(body))
          isWeb ||= part === DOC_TYPE && value.has("webm");
      if (id !== SEGMENT) continue;
      if (segment) throw unreadable("it has a second segment");
      segment = body;
    }
    if (!segment) throw unreadable("it is a WebM file without contents");
    let scale = USUAL_SCALE;
    const tracks = new Map<number, Track>();
    const clock = new Clock(tracks);
    for (const { id, body } of elements(segment)) {
      if (id === INFO)
        for (const { id: part, body: value } of elements(body)) if (part === SCALE) scale = numberIn(value);
      if (id === TRACKS)
        for (const { id: part, body: value } of elements(body))
          if (part === TRACK) addTrack(tracks, readTrack(value));
      if (id === CLUSTER) readCluster(body, clock);
    }
    const kinds = [...tracks.values()].filter(({ blocks }) => blocks > 0);
    const samples = Math.max(0, ...kinds.map((track) => track.samples));
    const seconds = Math.max((clock.last * scale) / SECOND, samples / OPUS_RATE);
    if (seconds === 0) throw unreadable("it is a WebM file without sound or pictures");
    for (const { kind, isLossy, channels, bytes } of kinds)
      if (kind === "audio" && (bytes * 8) / seconds > (isLossy ? mostLossyBits(channels) : MOST_BITS))
        throw unreadable(`${bytes} bytes of sound contradict its length of ${Math.round(seconds)} s`);
    const picture = kinds.find(({ kind }) => kind === "video");
    if (!picture) return { kind: "audio", mediaType: isWeb ? "audio/webm" : "audio/x-matroska", seconds };
    const { width, height, blocks } = picture;
    if (width === 0 || height === 0) throw unsupported("a WebM film without a size");
    const mediaType = isWeb ? "video/webm" : "video/x-matroska";
    const isSilent = !kinds.some(({ kind }) => kind === "audio");
    const fps = blocks / seconds;
    return { kind: "video", mediaType, width, height, seconds, fps, ...(isSilent && { isSilent }) };
  },
};
