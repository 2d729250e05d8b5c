import type { AnyCodec } from "@manifold-gateway/core";
import { openReply, type Reply, type ReplyOptions } from "@manifold-gateway/core/reply";

/** A relayed reply of a codec, as the gateway opens it. */
export const relayOf = (codec: AnyCodec, options: ReplyOptions = {}): Reply =>
  openReply(
    { caller: codec, upstream: codec, translated: false },
    { id: "", model: "", created: 0, serviceForm: true },
    options,
  );
