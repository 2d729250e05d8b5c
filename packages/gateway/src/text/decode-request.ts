import {
  type AnyCodec,
  type Loss,
  type Origins,
  type TextRequest,
  traceOrigins,
} from "@manifold-gateway/core";
import {
  callerPath,
  type PathCaller,
  type RequestedPart,
  requestedMedia,
} from "@manifold-gateway/core/capability";
import {
  faultOfMediaType,
  type Ignorable,
  ignorableAsks,
  type JsonObject,
  validate,
} from "@manifold-gateway/core/codec";
import type { Params } from "@manifold-gateway/core/ir";
import { quote, Refusal } from "../http/refusal.ts";
import { issuesOf } from "../http/schema-issues.ts";
import type { RequestedFeatures } from "../routing/route.ts";
import type { TextAsk } from "./plan.ts";

/** A decoded request, with what is needed to name its fields as the caller wrote them. */
export interface DecodedRequest {
  request: TextRequest;
  caller: PathCaller & { codec: AnyCodec; wire: JsonObject; origins: Origins };
  /** Losses for members that were removed before decoding. */
  dropped: Loss[];
  /** Converts a path in a request made from this one to the caller's JSON pointer. */
  locate(request: TextRequest, path: string): string;
}

/** Decodes a request when it is needed: once as it is, and once without the members in `TextAsk.drop`. */
export class RequestDecoder implements RequestedFeatures {
  readonly #ask: TextAsk;
  #whole: DecodedRequest | undefined = undefined;
  #reduced: DecodedRequest | undefined = undefined;
  #asks: readonly Ignorable[] | undefined = undefined;

  constructor(ask: TextAsk) {
    this.#ask = ask;
  }

  /** The request as it is; throws a 400 that names what is invalid. */
  whole(): DecodedRequest {
    this.#whole ??= decode(this.#ask, []);
    return this.#whole;
  }

  /** The request without the members to drop; throws a 400 that names what is invalid. */
  reduced(): DecodedRequest {
    const { drop = [] } = this.#ask;
    if (drop.length === 0) return this.whole();
    this.#reduced ??= decode(this.#ask, drop);
    return this.#reduced;
  }

  /** The request as it is; undefined if its body does not fit the schema. The provider then judges it. */
  readable(): DecodedRequest | undefined {
    try {
      return this.whole();
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }

  asks(): readonly Ignorable[] {
    if (!this.#asks) {
      const decoded = this.readable();
      this.#asks = decoded ? ignorableAsks(decoded.request) : [];
    }
    return this.#asks;
  }

  params(): Params {
    return this.readable()?.request.params ?? {};
  }

  hasTools(): boolean {
    return (this.readable()?.request.tools?.length ?? 0) > 0;
  }
}

function decode(ask: TextAsk, drop: readonly string[]): DecodedRequest {
  const { provider: _, ...value } = ask.body.value;
  const dropped: Loss[] = [];
  for (const name of drop) {
    if (value[name] === undefined) continue;
    delete value[name];
    dropped.push({ path: `/${name}`, why: "unsupported" });
  }
  const parsed = validate(ask.codec.request.schema, value);
  if (!parsed.success) throw new Unreadable(issuesOf(parsed.error, ask.model));
  const origins = traceOrigins(ask.codec.params);
  const request = ask.codec.request.decode(parsed.data, origins.trace);
  const caller = { codec: ask.codec, wire: value, origins };
  refuseMediaTypes(requestedMedia(request, caller), ask.model);
  return {
    request: { ...request, model: ask.model, stream: ask.stream },
    caller,
    dropped,
    locate: (rewritten, path) => callerPath(path, rewritten, caller),
  };
}

/** Refuses malformed media types, because they are put into headers, addresses and messages. */
function refuseMediaTypes(parts: readonly RequestedPart[], model: string): void {
  for (const { path, mediaType } of parts) {
    const fault = mediaType === undefined ? undefined : faultOfMediaType(mediaType);
    if (fault === undefined) continue;
    const param = path.slice(1).replaceAll("/", ".");
    throw new Refusal("invalid_request", `${param}: ${fault} (model ${quote(model)}).`, { param });
  }
}

/** A body that does not fit its protocol's schema. */
class Unreadable extends Refusal {
  constructor(errors: string[]) {
    super("invalid_request", errors, { param: "messages" });
  }
}
