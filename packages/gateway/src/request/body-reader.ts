import { depthOf } from "@manifold-gateway/core/codec";
import { ownerOf } from "../access/authenticate.ts";
import {
  type BodyLimits,
  parseBody,
  refuseOtherTypes,
  refusePrototypes,
  requireJsonType,
} from "../http/body.ts";
import { tooDeep, tooLarge } from "../http/body-refusals.ts";
import type { PieceCounter } from "../http/exchange.ts";
import { isForm, readForm } from "../http/form.ts";
import type { JsonBody } from "../http/json-body.ts";
import { readDecoded } from "../http/packed-body.ts";
import { Refusal } from "../http/refusal.ts";
import { Tally } from "../http/tally.ts";
import type { BodyUse } from "../ports/bounds.ts";
import type { Services } from "../ports/services.ts";
import type { Route } from "../route.ts";
import { readUpload } from "../uploads/read-upload.ts";
import type { RunningRequest } from "./running-request.ts";

/** The request whose body is read. */
interface Source extends Pick<RunningRequest, "exchange" | "caller"> {
  readonly services: Pick<Services, "parseQueue" | "protocols">;
}

/** The fewest bytes of a member: a body too short to reach the limit of members is cheap to parse. */
const SMALLEST_MEMBER = 4;

/** Reads the body of one request. It is counted on arrival, and parsed in its caller's turn if that takes long. */
export class BodyReader implements PieceCounter {
  readonly #source: Source;
  readonly #limits: BodyLimits;
  readonly #bodyUse: Pick<BodyUse, "add"> | undefined;
  /** Counts the contents of a body that is not small. */
  #tally: Tally | undefined;

  constructor(source: Source, limits: BodyLimits, bodyUse?: Pick<BodyUse, "add">) {
    this.#source = source;
    this.#limits = limits;
    this.#bodyUse = bodyUse;
  }

  add(piece: Uint8Array): void {
    this.#bodyUse?.add(piece.length);
    this.#tally?.step(piece);
  }

  addPacked(piece: Uint8Array): void {
    this.#bodyUse?.add(piece.length);
  }

  /** The JSON object in the body, or one with the fields of a form if the route takes forms. Refuses anything else. */
  async read({ form, lists, strictType }: Pick<Route, "form" | "lists" | "strictType">): Promise<JsonBody> {
    const { exchange, services } = this.#source;
    if (strictType) requireJsonType(exchange);
    if (form && isForm(exchange)) return readForm(exchange, this.#limits, this, services.protocols, lists);
    refuseOtherTypes(exchange);
    const isEncoded = exchange.header("content-encoding") !== undefined;
    // The length of an encoded body does not tell how much is in it.
    this.#begin(isEncoded ? Infinity : Number(exchange.header("content-length")));
    const { media } = this.#limits;
    const bytes = await (isEncoded ? readDecoded(exchange, media, this) : exchange.body(media, this));
    if (exchange.toRequest) return this.#readRequest(bytes, exchange.toRequest);
    return this.#tally?.isHeavy ? this.#inTurn(() => this.#parse(bytes)) : this.#parse(bytes);
  }

  /** Checks whether the body is a form with a file. Refuses any other body on a route that takes only such forms. */
  isUpload({ upload }: Pick<Route, "upload">): boolean {
    const { exchange } = this.#source;
    if (isForm(exchange)) return true;
    if (upload === "also") return false;
    throw new Refusal("unsupported_content_type", "The content type must be multipart/form-data.", {
      headers: { connection: "close" },
    });
  }

  /** The texts of a form, and its file. */
  upload({ lists }: Pick<Route, "lists">): ReturnType<typeof readUpload> {
    const { exchange, services } = this.#source;
    return readUpload(exchange, this.#limits, this, { protocols: services.protocols, lists });
  }

  /** The request that a message stands for. The limits apply again: it may be larger than the message. */
  async #readRequest(message: Uint8Array, toRequest: (body: JsonBody) => Uint8Array): Promise<JsonBody> {
    const convert = (): Uint8Array => toRequest(this.#parse(message));
    const bytes = this.#tally?.isHeavy ? await this.#inTurn(convert) : convert();
    if (bytes.length > this.#limits.media) throw tooLarge(this.#limits.media);
    this.#begin(bytes.length);
    this.add(bytes);
    return this.#tally?.isHeavy ? this.#inTurn(() => this.#parse(bytes)) : this.#parse(bytes);
  }

  #begin(length: number): void {
    const isSmall = length < SMALLEST_MEMBER * this.#limits.members;
    this.#tally = isSmall ? undefined : new Tally(this.#limits);
  }

  #parse(bytes: Uint8Array): JsonBody {
    const { text, depth } = this.#limits;
    const { buffer, byteOffset, byteLength } = bytes;
    const buffered = bytes instanceof Buffer ? bytes : Buffer.from(buffer, byteOffset, byteLength);
    const body = parseBody(buffered, text, this.#source.services.protocols);
    if (!this.#tally && depthOf(body.skeleton.text) > depth) throw tooDeep(depth);
    refusePrototypes(body);
    return body;
  }

  /** Runs work in the caller's turn, unless the caller has left by then. */
  async #inTurn<T>(work: () => T): Promise<T> {
    const { exchange, services, caller } = this.#source;
    const leaving = new AbortController();
    const leave = (): void => leaving.abort(new Refusal("client_left", "The client disconnected."));
    if (exchange.sink.closed) leave();
    const unlisten = exchange.sink.onLeave(leave);
    try {
      return await services.parseQueue(caller ? ownerOf(caller) : "", work, leaving.signal);
    } finally {
      unlisten();
    }
  }
}
