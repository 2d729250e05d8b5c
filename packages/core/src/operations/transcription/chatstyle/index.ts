import { defineUnfetched } from "../../../codec/fetched-addresses.ts";
import type { OperationFacts } from "../../codec.ts";
import type { TranscriptionCodec } from "../codec.ts";
import { decode as decodeReply, encode as encodeReply } from "./reply.ts";
import { decode, encode, names, protocol } from "./request.ts";
import { schema } from "./schema.ts";
import { stream } from "./stream.ts";

const facts: OperationFacts = {
  params: {
    ...Object.fromEntries(Object.entries(names).map(([name, field]) => [name, [`/${field}`]])),
    task: ["/task"],
  },
  others: ["file"],
};

/** Transcriptions beside chat completions: a form with a file. */
export const chatstyleTranscription: TranscriptionCodec = {
  protocol,
  content: "form",
  tokensPerSecond: 17,
  endpoint: ({ task }) => (task === "translate" ? "/audio/translations" : "/audio/transcriptions"),
  unfetched: defineUnfetched(
    ["prompt", "language", "languages", "keywords", "known_speaker_names", "name", "mediaType"],
    ["known_speaker_references"],
  ),
  facts,
  request: { schema, decode, encode },
  reply: { decode: decodeReply, encode: encodeReply },
  stream,
};
