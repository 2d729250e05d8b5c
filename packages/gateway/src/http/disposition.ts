/** The head of a part of a form. */
export interface PartHead {
  /** The name of the field. */
  name: string;
  /** The name of the file; absent for a text. */
  filename?: string;
  /** The declared media type. */
  type?: string;
}

/** Encodings in which the bytes of a part are what they are. */
const PLAIN: ReadonlySet<string> = new Set(["7bit", "8bit", "binary"]);

/** One parameter of a header: a name, and a value in quotes or without. */
const PARAMETER = /\s*;\s*([a-z*]{1,20})\s*=\s*(?:"((?:[^"\\\r\n]|\\["\\]){0,1000})"|([^\s";,]{1,1000}))/iy;

/**
 * Reads the head of a part, in Latin-1. Returns what is wrong with one that servers might read in different ways: a
 * field that this service does not see must reach no provider.
 */
export function readPartHead(text: string): PartHead | { fault: string } {
  const headers = new Map<string, string>();
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 1 || /[^a-z-]/.test(name)) return { fault: "a header that cannot be read" };
    if (headers.has(name)) return { fault: `the header ${name} twice` };
    headers.set(name, line.slice(colon + 1).trim());
  }
  const encoding = headers.get("content-transfer-encoding");
  if (encoding !== undefined && !PLAIN.has(encoding.toLowerCase()))
    return { fault: "a content-transfer-encoding other than binary" };
  const parameters = readParameters(headers.get("content-disposition") ?? "");
  const name = parameters?.get("name");
  if (name === undefined || name === "") return { fault: "no content-disposition with the name of a field" };
  const filename = parameters?.get("filename");
  const type = headers.get("content-type");
  return {
    name: toUtf8(name),
    ...(filename !== undefined && { filename: toUtf8(filename) }),
    ...(type !== undefined && { type }),
  };
}

/** The parameters of `form-data; name="…"; filename="…"`; undefined if it is not of that form. */
function readParameters(value: string): Map<string, string> | undefined {
  if (!/^form-data\s*(?:;|$)/i.test(value)) return undefined;
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = "form-data".length;
  while (PARAMETER.lastIndex < value.length) {
    const match = PARAMETER.exec(value);
    if (!match) return undefined;
    const [, key = "", quoted, plain = ""] = match;
    const name = key.toLowerCase();
    if (parameters.has(name)) return undefined;
    parameters.set(name, quoted?.replace(/\\(["\\])/g, "$1") ?? plain);
  }
  return parameters;
}

const toUtf8 = (latin1: string): string => Buffer.from(latin1, "latin1").toString("utf8");
