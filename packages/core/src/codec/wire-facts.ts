import type { Spelled } from "../capability/fields.ts";
import type { Json, JsonObject } from "../json/json.ts";

/**
 * The ways in which a member holds a file: by its address, by an id at the vendor, or in base64, with its media type
 * beside it or not.
 */
export type FileForm = "address" | "id" | "base64" | "typedBase64";

/**
 * Facts about a wire's requests for shared code that does not know the wire: where turns, files and tools' own values
 * stand. It reads these tables instead of naming members itself.
 */
export interface WireFacts {
  /** Stands for the protocol in a wrapped seal: one letter that no other protocol has. */
  letter: string;
  /** The wire's fields for seals are bytes, and so base64; others are text. */
  sealBytes?: true;
  /** Top-level members with the system text, and with the turns of the conversation. */
  system: readonly string[];
  /** Top-level members with the turns of the conversation. */
  turns: readonly string[];
  /** Members that only the entry which made or cached them can use again: seals, marks for a prompt cache. */
  bound: readonly string[];
  /** The member that marks the tool or the part up to which a prompt is cached, in at most four places. */
  cacheMark?: string;
  /** System messages may say how much to think from there on. */
  midEfforts?: true;
  /** A turn of the model that ends with thoughts is refused. */
  refusesLastThoughts?: true;
  /** Members that may hold a file. */
  files: Readonly<Record<string, FileForm>>;
  /** Members that name the media type of a file beside them. */
  mediaTypes: readonly string[];
  /** Members around a picture, and types of parts that are one. */
  pictures: readonly string[];
  /** Members that describe a tool or its values by their name alone: nothing in them is a part of the conversation. */
  toolData: readonly string[];
  /** Members with a value that a tool is given or has answered, by the record they are of and its name. */
  toolValues: Readonly<Record<string, (record: JsonObject, within: string) => boolean>>;
  /** Members without which the answer would be to another question, so a target without them is refused. */
  essential: readonly string[];
  /** The same of items of the conversation: what such an item is, for the error; undefined for all others. */
  essentialItem?(item: JsonObject): string | undefined;
  /**
   * Values of members that only this wire has and that ask for what every target does without them: a target without the
   * member loses nothing. By the member's name, below `tools` or `parts` for members of those: `parts/citations/enabled`.
   */
  neutral?: Readonly<Record<string, readonly Json[]>>;
  /** The places of requested features beside scalars; of several places the first that a request has. */
  spellings: { readonly [Name in Spelled]?: readonly string[] };
}
