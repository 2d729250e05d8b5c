import {
  type AnyCodec,
  type Loss,
  type Origins,
  type TextRequest,
  traceOrigins,
} from "@manifold-gateway/core";
import { type AskedPart, askedMedia, callerPath, type PathCaller } from "@manifold-gateway/core/capability";
import {
  faultOfMediaType,
  type Ignorable,
  ignorableAsks,
  type JsonObject,
  validate,
} from "@manifold-gateway/core/codec";
import { quote, Refusal } from "../http/refusal.ts";
import { issuesOf } from "../issues.ts";
import type { TextAsk } from "./plan.ts";

/** A request as it was understood, with what is needed to speak of it in its caller's words. */
export interface DecodedRequest {
  request: TextRequest;
  caller: PathCaller & { codec: AnyCodec; wire: JsonObject; origins: Origins };
  /** Members that were taken out before. */
  dropped: Loss[];
  /** The caller's own pointer for a path of a request that was made of this one. */
  locate(request: TextRequest, path: string): string;
}

/** Gives what was read, with or without the fields that only the caller's own protocol has. */
export type Reader = (drop: boolean) => DecodedRequest;

/** Reads a request, once for each set of fields that is taken out; a 400 names what cannot be read. */
export function requestDecoder(ask: TextAsk): Reader {
  const known = new Map<boolean, DecodedRequest>();
  return (asked) => {
    const drop = asked && (ask.drop ?? []).length > 0;
    const before = known.get(drop);
    if (before) return before;
    const reading = read(ask, drop ? (ask.drop ?? []) : []);
    known.set(drop, reading);
    return reading;
  };
}

function read(ask: TextAsk, drop: readonly string[]): DecodedRequest {
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
  refuseMediaTypes(askedMedia(request, caller), ask.model);
  return {
    request: { ...request, model: ask.model, stream: ask.stream },
    caller,
    dropped,
    locate: (made, path) => callerPath(path, made, caller),
  };
}

/** Refuses media types that are none: they go into headers, addresses and messages for people. */
function refuseMediaTypes(parts: readonly AskedPart[], model: string): void {
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

/** A body that cannot be understood is forwarded nevertheless: the provider is the judge of it. */
export function readable(read: Reader): DecodedRequest | undefined {
  try {
    return read(false);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** The requested features that servers may ignore, read when they are first needed. */
export function asksIn(read: Reader): () => readonly Ignorable[] {
  let asks: readonly Ignorable[] | undefined;
  return () => {
    if (!asks) {
      const reading = readable(read);
      asks = reading ? ignorableAsks(reading.request) : [];
    }
    return asks;
  };
}
