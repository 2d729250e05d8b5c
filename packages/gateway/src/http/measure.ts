import type { JsonObject, Wires } from "@manifold-gateway/core/codec";
import { isLazyObject, LargeString, type LazyJson, type LazyObject } from "./lazy-json.ts";

/** The measures of a request. */
export interface Measure {
  /** Bytes of text in UTF-8: the values, without names and punctuation. */
  readonly bytes: number;
  /** Bytes of media, as written in the body. */
  readonly media: number;
  readonly images: number;
  /** The sizes of other files than images, in bytes; infinite if only the address is known. */
  readonly files: readonly number[];
}

const DATA_URL = /^data:([^,;]{0,100})(?:;[^,]{0,100})?;base64,/;
/** The length from which a member such as `data` may be a file. */
const LONG = 256;
const ADDRESS = /^(https?|gs|s3|file):/i;

/** The text of a request, and the files that it holds or names. */
export class Measured implements Measure {
  bytes = 0;
  media = 0;
  images = 0;
  readonly files: number[] = [];
  readonly #protocols: Wires;
  readonly #toolData: ReadonlySet<string>;

  constructor(value: LazyJson, protocols: Wires) {
    this.#protocols = protocols;
    this.#toolData = protocols.namesOf("toolData");
    this.#add(value, "", false);
  }

  /** Adds a value. `parent` is the name of the member around it, `tool` whether it belongs to a call of a tool. */
  #add(node: LazyJson, parent: string, tool: boolean): void {
    if (typeof node === "string" || node instanceof LargeString) this.#leaf(node);
    else if (Array.isArray(node)) for (const item of node) this.#add(item, parent, tool);
    else if (isLazyObject(node))
      for (const key in node) {
        const child = node[key] as LazyJson;
        const isLeaf = typeof child === "string" || child instanceof LargeString;
        if (isLeaf && !tool) this.#member(node, key, child, parent);
        else if (typeof child === "object" && child !== null) {
          const isTool =
            tool || this.#toolData.has(key) || this.#protocols.isToolValue(node as JsonObject, key, parent);
          this.#add(child, key, isTool);
        } else if (isLeaf) this.#leaf(child);
      }
  }

  #member(record: LazyObject, key: string, node: string | LargeString, parent: string): void {
    const kind = this.#protocols.files.get(key);
    if (kind === undefined) this.#leaf(node);
    else if (
      (kind === "base64" || kind === "typedBase64") &&
      (node instanceof LargeString || node.length > LONG)
    ) {
      const type = typeOf(record, this.#protocols) ?? (kind === "base64" ? "" : undefined);
      if (type === undefined) this.#leaf(node);
      else this.#file(type, node);
    } else if (typeof node === "string" && (kind === "id" || (kind === "address" && ADDRESS.test(node)))) {
      if (isImage(record, key, parent, this.#protocols)) this.images += 1;
      else this.files.push(Number.POSITIVE_INFINITY);
    } else this.#leaf(node);
  }

  #leaf(node: string | LargeString): void {
    const isText = typeof node === "string";
    const head = isText ? node : node.head;
    const found = head.startsWith("data:") ? DATA_URL.exec(head) : null;
    if (found) this.#file(found[1], node);
    else this.bytes += isText ? Buffer.byteLength(node) : node.bytes.length;
  }

  #file(type: string | undefined, node: string | LargeString): void {
    const size = typeof node === "string" ? node.length : node.bytes.length;
    if (type?.startsWith("text/")) this.bytes += typeof node === "string" ? Buffer.byteLength(node) : size;
    else {
      this.media += size;
      if (type?.startsWith("image/")) this.images += 1;
      else this.files.push(Math.ceil((size * 3) / 4));
    }
  }
}

/** The media type of a record's file; undefined if no member marks it as a file. */
function typeOf(record: LazyObject, protocols: Wires): string | undefined {
  if (record.type === "text") return "text/plain";
  for (const name of protocols.namesOf("mediaTypes"))
    if (typeof record[name] === "string") return record[name];
  return undefined;
}

/** Checks whether the file at an address is an image. */
function isImage(record: LazyObject, key: string, parent: string, protocols: Wires): boolean {
  const pictures = protocols.namesOf("pictures");
  const type = typeOf(record, protocols) ?? "";
  return (
    pictures.has(key) ||
    pictures.has(parent) ||
    type.startsWith("image/") ||
    (typeof record.type === "string" && pictures.has(record.type))
  );
}
