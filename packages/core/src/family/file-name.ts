import type { Source } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { endingOf, typeOfName } from "../ir/media-source.ts";

type Bytes = Source & { type: "base64" };

/** The name of bytes without one: the family insists on a name, and its extension shows the type. */
const defaultName = (mediaType: string): string => `document.${endingOf(mediaType) ?? "pdf"}`;

/** The name under which bytes came, unless it is the one that is written for those without. */
export const readFileName = (name: string | undefined, source: Source): { name?: string } =>
  name === undefined || (source.type === "base64" && name === defaultName(source.mediaType)) ? {} : { name };

/** The name of bytes. A title is no name of a file: without an extension, the family refuses the file. */
export function writeFileName(
  name: string | undefined,
  { mediaType }: Bytes,
  path: string,
  lose: Lose,
): string {
  if (name === undefined) return defaultName(mediaType);
  const ending = endingOf(mediaType);
  const hasExtension = mediaType.startsWith("text/") && /\.[a-z]\w{0,7}$/i.test(name);
  if (ending === undefined || hasExtension || typeOfName(name) !== undefined) return name;
  lose(`${path}/name`, "approximated", "got the extension of its type");
  return `${name}.${ending}`;
}
