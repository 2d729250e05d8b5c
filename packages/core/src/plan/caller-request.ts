import type { RequestedPart } from "../capability/ask.ts";
import { callerPath, type PathCaller } from "../capability/caller-path.ts";
import { show } from "../capability/message-text.ts";
import { requestedMedia } from "../capability/requested-media.ts";
import type { AnyCaller } from "../codec/codec.ts";
import { validate } from "../codec/validate.ts";
import { type Ignorable, ignorableAsks } from "../ir/ignorable.ts";
import type { TextRequest } from "../ir/index.ts";
import type { Loss } from "../ir/loss.ts";
import { faultOfMediaType } from "../ir/media-source.ts";
import type { Params } from "../ir/params.ts";
import type { JsonObject } from "../json/json.ts";
import type { Edits } from "../json/splice.ts";
import { memberAsksNothing } from "../translate/neutral.ts";
import { type Origins, traceOrigins } from "../translate/origins.ts";
import { Rejection, UnreadableBody } from "./rejection.ts";
import type { RequestBody } from "./request-body.ts";

/** A request as its caller wrote it. */
export interface RequestSource<Sent = string> {
  /** The caller's protocol. */
  codec: AnyCaller;
  /** The body, parsed and as text. */
  body: RequestBody<Sent>;
  /** The model's name as the caller wrote it, in the body or in the path. */
  model: string;
  /** Default: as the body says. */
  stream?: boolean;
  /** Members to change when the body is forwarded in the same protocol, besides the model. */
  edits?: Edits;
  /** Members to remove, as losses, before the body is translated to another protocol. */
  drop?: readonly string[];
}

/** A decoded request, with what is needed to name its fields as the caller wrote them. */
export interface DecodedRequest {
  /** The canonical request. */
  request: TextRequest;
  /** The caller's protocol and body, with the places of the canonical request in it. */
  caller: PathCaller & { codec: AnyCaller; wire: JsonObject; origins: Origins };
  /** Losses for members that were removed before decoding. */
  dropped: Loss[];
  /** Converts a path in a request made from this one to the caller's JSON pointer. */
  locate(request: TextRequest, path: string): string;
}

/**
 * A caller's request for any number of targets. It is decoded when that is needed: once as it is, and once without the
 * members in `RequestSource.drop`.
 */
export class CallerRequest<Sent = string> {
  /** The request as its caller wrote it. */
  readonly source: RequestSource<Sent>;
  /** Members of the body that are meant for the program itself: they are neither forwarded nor lost. */
  readonly reserved: readonly string[];
  #whole: DecodedRequest | Rejection | undefined = undefined;
  #reduced: DecodedRequest | Rejection | undefined = undefined;
  #asks: readonly Ignorable[] | undefined = undefined;

  constructor(source: RequestSource<Sent>, reserved: readonly string[] = []) {
    this.source = source;
    this.reserved = reserved;
  }

  /** The request as it is, or a rejection that names what is invalid. */
  whole(): DecodedRequest | Rejection {
    this.#whole ??= decode(this.source, this.reserved, []);
    return this.#whole;
  }

  /** The request without the members to drop, or a rejection that names what is invalid. */
  reduced(): DecodedRequest | Rejection {
    const { drop = [] } = this.source;
    if (drop.length === 0) return this.whole();
    this.#reduced ??= decode(this.source, this.reserved, drop);
    return this.#reduced;
  }

  /** The requested features that servers may ignore; none of a request that cannot be decoded. */
  asks(): readonly Ignorable[] {
    if (!this.#asks) {
      const decoded = this.whole();
      this.#asks = decoded instanceof Rejection ? [] : ignorableAsks(decoded.request);
    }
    return this.#asks;
  }

  /** The parameters of the request; none of one that cannot be decoded. */
  params(): Params {
    const decoded = this.whole();
    return decoded instanceof Rejection ? {} : decoded.request.params;
  }

  /** Lets go of what was decoded, since the request is planned for no other target. */
  forget(): void {
    this.#whole = undefined;
    this.#reduced = undefined;
    this.#asks = undefined;
  }

  /** Whether the request asks the model to reason, or not to. */
  asksReasoning(): boolean {
    const decoded = this.whole();
    return !(decoded instanceof Rejection) && decoded.request.reasoning !== undefined;
  }

  /** Whether the request has a schema, for which the provider's half of a codec needs a dialect. */
  hasSchemas(): boolean {
    const decoded = this.whole();
    if (decoded instanceof Rejection) return false;
    const { tools = [], format } = decoded.request;
    // A tool that takes free text may become a function with a schema.
    return (
      format !== undefined ||
      tools.some((tool) => tool.type === "function" && (tool.schema ?? tool.freeform) !== undefined)
    );
  }

  /** Whether the request has functions or other tools. */
  hasTools(): boolean {
    const decoded = this.whole();
    return !(decoded instanceof Rejection) && (decoded.request.tools?.length ?? 0) > 0;
  }
}

function decode(
  { codec, body, model, stream }: RequestSource<unknown>,
  reserved: readonly string[],
  drop: readonly string[],
): DecodedRequest | Rejection {
  const value = { ...body.value };
  for (const name of reserved) delete value[name];
  const dropped: Loss[] = [];
  for (const name of drop) {
    const member = value[name];
    if (member === undefined) continue;
    delete value[name];
    if (!memberAsksNothing(codec, name, member)) dropped.push({ path: `/${name}`, why: "unsupported" });
  }
  const parsed = validate(codec.request.schema, value);
  if (!parsed.success) return new UnreadableBody(parsed.error, model || undefined);
  const origins = traceOrigins(codec.params);
  const request = codec.request.decode(parsed.data, origins.trace);
  const caller = { codec, wire: value, origins };
  const fault = mediaTypeFault(requestedMedia(request, caller), model);
  if (fault) return fault;
  return {
    request: { ...request, model, ...(stream !== undefined && { stream }) },
    caller,
    dropped,
    locate: (rewritten, path) => callerPath(path, rewritten, caller),
  };
}

/** The rejection of a malformed media type, because they are put into headers, addresses and messages. */
function mediaTypeFault(parts: readonly RequestedPart[], model: string): Rejection | undefined {
  for (const { path, mediaType } of parts) {
    const fault = mediaType === undefined ? undefined : faultOfMediaType(mediaType);
    if (fault === undefined) continue;
    const param = path.slice(1).replaceAll("/", ".");
    return new Rejection("invalid_request", [`${param}: ${fault} (model ${show(model)}).`], { param });
  }
  return undefined;
}
