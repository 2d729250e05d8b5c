import { defineProtocol } from "../protocol.ts";
import { refuse, streamError } from "./errors.ts";
import { read } from "./read.ts";
import { stream } from "./stream.ts";
import { write } from "./write.ts";

export const genstyle = defineProtocol({
  name: "genstyle",
  key: (headers, query) => (headers["x-goog-api-key"] || query.get("key")) ?? undefined,
  read,
  write,
  stream,
  refuse,
  streamError,
  list: (models) => ({
    models: models.map((id) => ({
      name: `models/${id}`,
      displayName: id,
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ["generateContent", "countTokens", "embedContent"],
    })),
  }),
});
