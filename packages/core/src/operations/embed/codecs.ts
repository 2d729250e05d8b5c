import type { Protocol } from "../../ir/part.ts";
import type { OperationWires } from "../endpoint.ts";
import { chatstyleEmbed, outputstyleEmbed } from "./chatstyle.ts";
import type { EmbedCodec } from "./codec.ts";
import { genstyleEmbed, genstyleFullEmbed } from "./genstyle/index.ts";
import { mediastyleEmbed } from "./mediastyle.ts";
import { msgstyleEmbed } from "./msgstyle.ts";
import { predictstyleEmbed } from "./predictstyle.ts";

/** The protocols that have embeddings. */
export const embedCodecs: Partial<Record<Protocol, EmbedCodec>> & {
  [K in "chatstyle" | "msgstyle" | "genstyle"]: EmbedCodec;
} = { chatstyle: chatstyleEmbed, msgstyle: msgstyleEmbed, genstyle: genstyleEmbed };

/** The same for callers of a library, which sends whatever its providers take. */
export const fullEmbedCodecs: typeof embedCodecs = { ...embedCodecs, genstyle: genstyleFullEmbed };

/** The wires that providers serve embeddings on. A router speaks the chat family's, media included. */
export const embedWires = {
  chatstyle: chatstyleEmbed,
  genstyle: genstyleEmbed,
  mediastyle: mediastyleEmbed,
  outputstyle: outputstyleEmbed,
  predictstyle: predictstyleEmbed,
  routerstyle: chatstyleEmbed,
} satisfies Record<string, EmbedCodec>;

/** All wires of embeddings. */
export const embedOperation: OperationWires<EmbedCodec> = {
  service: "embed",
  protocols: embedCodecs,
  services: embedWires,
};
