import type { Protocol } from "../../ir/part.ts";
import { chatstyleEmbed } from "./chatstyle.ts";
import type { EmbedCodec } from "./codec.ts";
import { genstyleEmbed } from "./genstyle/index.ts";
import { msgstyleEmbed } from "./msgstyle.ts";

export * from "./batch.ts";
export * from "./check.ts";
export * from "./codec.ts";
export * from "./ir.ts";

/** The protocols that have embeddings. */
export const embedCodecs: Partial<Record<Protocol, EmbedCodec>> & {
  [K in "chatstyle" | "msgstyle" | "genstyle"]: EmbedCodec;
} = { chatstyle: chatstyleEmbed, msgstyle: msgstyleEmbed, genstyle: genstyleEmbed };
