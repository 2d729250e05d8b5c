import type { Json, JsonObject } from "../../json/json.ts";
import { FILE } from "./codec.ts";

/** The texts of a body before and after the bytes of its recording. */
export type Surroundings = [before: string, after: string];

/** A JSON body, in which the recording stands in base64. */
export function jsonSurroundings(text: string): Surroundings {
  const mark = JSON.stringify(FILE).slice(1, -1);
  const at = text.indexOf(mark);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

/** A multipart form of fields, with the recording as the file of the field that stands for it. */
export function formSurroundings(
  fields: JsonObject,
  { boundary, name, mediaType }: { boundary: string; name: string; mediaType: string },
): Surroundings {
  const texts: Surroundings = ["", ""];
  let at: 0 | 1 = 0;
  const begin = (field: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${escaped(field)}"`;
  for (const [field, value] of Object.entries(fields)) {
    if (value === FILE) {
      texts[0] += `${begin(field)}; filename="${escaped(name)}"\r\ncontent-type: ${mediaType}\r\n\r\n`;
      texts[1] = "\r\n";
      at = 1;
    } else for (const [key, text] of textsOf(field, value)) texts[at] += `${begin(key)}\r\n\r\n${text}\r\n`;
  }
  texts[1] += `--${boundary}--\r\n`;
  return texts;
}

/** A name as browsers write it in the head of a part. */
const escaped = (name: string): string =>
  name.replace(/["\r\n]/g, (char) => ({ '"': "%22", "\r": "%0D", "\n": "%0A" })[char] as string);

/** A value as the fields of a form: the items of a list, and the members of an object, have brackets. */
function textsOf(field: string, value: Json | undefined): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(`${field}[]`, item));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, member]) => textsOf(`${field}[${name}]`, member));
  return value === undefined || value === null ? [] : [[field, String(value)]];
}
