import { createHash } from "node:crypto";
import type { Protocols } from "@manifold-gateway/core";
import type { BodyLimits } from "../http/body.ts";
import { tooMuchText } from "../http/body-refusals.ts";
import type { PartHead } from "../http/disposition.ts";
import type { Exchange } from "../http/exchange.ts";
import { FormFields } from "../http/form-fields.ts";
import { type JsonBody, toJsonBody } from "../http/json-body.ts";
import { Multipart, type PartReader } from "../http/multipart.ts";
import { type BodyCounter, readDecoded } from "../http/packed-body.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { Spool } from "./spool.ts";
import { type ReceivedPart, Upload } from "./upload.ts";

/** The field of the file. */
const FILE = "file";

/** The part of a form that is arriving. */
interface ArrivingPart {
  head: PartHead;
  /** Where it begins with its boundary. */
  from: number;
  /** Its text so far; absent for the file. */
  text: Uint8Array[] | undefined;
}

/** Collects the fields of a form as they arrive. */
class Fields implements PartReader {
  readonly values: FormFields;
  readonly parts: ReceivedPart[] = [];
  readonly hash = createHash("sha256");
  /** The place of the file among the parts, and its head. */
  file: { part: number; head: PartHead } | undefined;
  #current: ArrivingPart = { head: { name: "" }, from: 0, text: undefined };
  #texts = 0;
  readonly #most: number;

  constructor(most: number, lists: ReadonlySet<string> | undefined) {
    this.#most = most;
    this.values = new FormFields(lists);
  }

  begin(head: PartHead, from: number): void {
    const isFile = head.filename !== undefined;
    if (isFile && head.name !== FILE)
      throw new Refusal(
        "invalid_form",
        `The form has a file in the field ${quote(head.name)}; only ${FILE} is one.`,
        {
          param: FILE,
        },
      );
    if (isFile && this.file)
      throw new Refusal("invalid_form", `The form has two files; one is accepted, in the field ${FILE}.`, {
        param: FILE,
      });
    if (!isFile && (head.name === FILE || head.name.startsWith(`${FILE}[`)))
      throw new Refusal("invalid_form", `${FILE}: must be a file, with a filename in its part of the form.`, {
        param: FILE,
      });
    if (isFile) this.file = { part: this.parts.length, head };
    this.#current = { head, from, text: isFile ? undefined : [] };
  }

  write(bytes: Uint8Array): void {
    const { text } = this.#current;
    if (!text) {
      this.hash.update(bytes);
      return;
    }
    this.#texts += bytes.length;
    if (this.#texts > this.#most) throw tooMuchText(this.#most);
    text.push(Uint8Array.from(bytes));
  }

  end(start: number, end: number): void {
    const { head, from, text } = this.#current;
    this.parts.push({ name: head.name, from, contents: { from: start, length: end - start } });
    if (text) this.values.add(head.name, Buffer.concat(text).toString("utf8"));
  }
}

/**
 * Reads a multipart form with one file, piece by piece: its texts as a JSON object, in which `file` has the facts of
 * the file, and the file itself. Throws a 400 for a form without one. The items of `lists` may come without brackets.
 */
export async function readUpload(
  exchange: Exchange,
  limits: BodyLimits,
  counter: BodyCounter,
  { protocols, lists }: { protocols: Protocols; lists?: ReadonlySet<string> | undefined },
): Promise<{ json: JsonBody; upload: Upload }> {
  const type = exchange.header("content-type") ?? "";
  const fields = new Fields(limits.text, lists);
  const form = new Multipart(type, fields);
  const spool = new Spool();
  const take = (piece: Uint8Array): Promise<void> => {
    form.push(piece);
    return spool.append(piece);
  };
  try {
    const isEncoded = exchange.header("content-encoding") !== undefined;
    if (isEncoded || !exchange.pieces) await take(await readDecoded(exchange, limits.media, counter));
    else
      await exchange.pieces(limits.media, (piece) => {
        counter.add(piece);
        return take(piece);
      });
    form.end();
    const { file, parts, values } = fields;
    if (!file)
      throw new Refusal("invalid_request", `${FILE}: is required: a file in the form.`, { param: FILE });
    const { contents } = parts[file.part] as ReceivedPart;
    const facts = {
      name: file.head.filename ?? "",
      bytes: contents.length,
      sha256: fields.hash.digest("hex"),
    };
    values.add(FILE, { ...facts, ...(file.head.type !== undefined && { mediaType: file.head.type }) });
    const upload = new Upload(spool, contents, facts, { type, parts, end: form.last });
    return { json: toJsonBody(values.object, protocols), upload };
  } catch (error) {
    spool.close();
    throw error;
  }
}
