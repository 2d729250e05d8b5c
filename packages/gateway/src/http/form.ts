import type { Protocols } from "@manifold-gateway/core";
import type { BodyLimits } from "./body.ts";
import type { PartHead } from "./disposition.ts";
import type { Exchange } from "./exchange.ts";
import { FormFields } from "./form-fields.ts";
import { type JsonBody, toJsonBody } from "./json-body.ts";
import { Multipart } from "./multipart.ts";
import { type BodyCounter, readDecoded } from "./packed-body.ts";

const FORM = /^multipart\/form-data\s*(?:;|$)/i;

/** Checks whether the body of a request is a form. */
export const isForm = (exchange: Pick<Exchange, "header">): boolean =>
  FORM.test(exchange.header("content-type") ?? "");

/**
 * Converts a multipart form to a JSON object: `a[b]` is a member, `a[]` an item, and a file becomes `{ data,
 * mediaType, filename }` with base64. Numbers and booleans stay text.
 */
export async function readForm(
  exchange: Exchange,
  limits: BodyLimits,
  counter: BodyCounter,
  protocols: Protocols,
  lists?: ReadonlySet<string>,
): Promise<JsonBody> {
  const fields = new FormFields(lists);
  let head: PartHead = { name: "" };
  let contents: Uint8Array[] = [];
  const form = new Multipart(exchange.header("content-type") ?? "", {
    begin(part) {
      head = part;
      contents = [];
    },
    write: (bytes) => void contents.push(bytes),
    end() {
      const { name, filename, type: mediaType = "application/octet-stream" } = head;
      const bytes = Buffer.concat(contents);
      if (filename === undefined) fields.add(name, bytes.toString("utf8"));
      else fields.add(name, { data: bytes.toString("base64"), mediaType, filename });
    },
  });
  await readDecoded(exchange, limits.media, {
    addPacked: (piece) => counter.addPacked?.(piece),
    add(piece) {
      counter.add(piece);
      form.push(piece);
    },
  });
  form.end();
  return toJsonBody(fields.object, protocols);
}
