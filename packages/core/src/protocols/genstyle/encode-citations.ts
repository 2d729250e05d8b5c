import type { Citation, TokenLogprob } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { type Json, toArray, toObject } from "../../json/json.ts";
import type { GroundingChunk, GroundingMetadata, LogprobsResult } from "./schema.ts";
import { widthAt } from "./utf8-width.ts";

function bytesIn(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; ) {
    const [units, width] = widthAt(text, i);
    i += units;
    bytes += width;
  }
  return bytes;
}

/** A citation of `run`, the text around it, with offsets into that. */
export interface Cited {
  citation: Citation;
  start: number;
  end: number;
  path: string;
}

/** Citations as the wire writes them: sources once each, and the spans that rest on them. */
export function writeGrounding(
  run: string,
  cited: readonly Cited[],
  lose: Lose,
): GroundingMetadata | undefined {
  const groundingChunks: GroundingChunk[] = [];
  const keys: string[] = [];
  const groundingSupports = cited.map(({ citation, start, end, path }) => {
    const { url, title, quote, raw } = citation;
    if (raw) lose(`${path}/raw`, "unsupported");
    if (url !== undefined && quote !== undefined) lose(`${path}/quote`, "unsupported");
    const chunk: GroundingChunk =
      url === undefined
        ? { retrievedContext: { ...(title && { title }), ...(quote && { text: quote }) } }
        : { web: { uri: url, ...(title && { title }) } };
    const key = JSON.stringify(chunk);
    if (!keys.includes(key)) {
      keys.push(key);
      groundingChunks.push(chunk);
    }
    const startIndex = bytesIn(run.slice(0, start));
    const text = run.slice(start, end);
    return {
      segment: { startIndex, endIndex: startIndex + bytesIn(text), text },
      groundingChunkIndices: [keys.indexOf(key)],
    };
  });
  return groundingSupports.length > 0 ? { groundingChunks, groundingSupports } : undefined;
}

export function writeLogprobs(tokens: readonly TokenLogprob[]): LogprobsResult {
  const write = ({ token, logprob }: { token: string; logprob: number }) => ({
    token,
    logProbability: logprob,
  });
  return {
    chosenCandidates: tokens.map(write),
    topCandidates: tokens.map(({ top = [] }) => ({ candidates: top.map(write) })),
  };
}

/** Joins the grounding of two chunks of one candidate: the second's sources come behind the first's. */
export function joinGrounding<T extends object>(first: T, second: T): T {
  const [before, behind] = [toObject(first), toObject(second)];
  const chunks = toArray(before.groundingChunks);
  const supports = toArray(behind.groundingSupports).map((json): Json => {
    const indices = toArray(toObject(json).groundingChunkIndices);
    const moved = indices.map((i) => (typeof i === "number" ? i + chunks.length : i));
    return { ...toObject(json), groundingChunkIndices: moved };
  });
  return {
    ...first,
    ...second,
    groundingChunks: [...chunks, ...toArray(behind.groundingChunks)],
    groundingSupports: [...toArray(before.groundingSupports), ...supports],
  };
}
