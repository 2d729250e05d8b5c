import { isObject } from "../../../json/json.ts";
import {
  array,
  boolean,
  nullish,
  number,
  object,
  oneOf,
  record,
  string,
  union,
} from "../../../schema/node.ts";
import { type Fault, validator } from "../../../schema/validator.ts";
import { transcriptFormats } from "../ir.ts";

/** Members by which servers of this wire fetch a recording themselves: nothing would be known of its length. */
const ADDRESSES = ["url", "file_url", "file_id"] as const;

/** A request whose fields have the types of their values: see `fromForm`. Its recording is checked apart. */
const request = object({
  model: string({ min: 1, message: "is required" }),
  language: nullish(string()),
  languages: nullish(array(string())),
  prompt: nullish(string()),
  keywords: nullish(array(string())),
  response_format: nullish(oneOf(...transcriptFormats)),
  temperature: nullish(number()),
  timestamp_granularities: nullish(array(oneOf("word", "segment"))),
  include: nullish(array(string())),
  chunking_strategy: nullish(union([oneOf("auto"), record()], 'must be "auto" or an object')),
  known_speaker_names: nullish(array(string())),
  known_speaker_references: nullish(array(string())),
  stream: nullish(boolean()),
  provider: nullish(record()),
});

function* faults(value: unknown): Generator<Fault> {
  if (!isObject(value)) return;
  if (!isObject(value.file))
    yield { path: ["file"], message: "is required: the recording, as a file of a multipart form" };
  for (const name of ADDRESSES)
    if (value[name] !== undefined)
      yield { path: [name], message: "is not accepted: send the recording itself as `file`" };
}

/** The requests of the surface. */
export const schema = validator(request, { faults });
