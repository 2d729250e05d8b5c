import { bearer, defineProtocol } from "../protocol.ts";
import { refuse, streamError } from "./errors.ts";
import { read } from "./read.ts";
import { stream } from "./stream.ts";
import { write } from "./write.ts";

export const msgstyle = defineProtocol({
  name: "msgstyle",
  key: (headers) => headers["x-api-key"] || bearer(headers),
  read,
  write,
  stream,
  refuse,
  streamError,
  list: (models, created) => ({
    data: models.map((id) => ({
      id,
      type: "model",
      display_name: id,
      created_at: new Date(created * 1000).toISOString(),
      max_input_tokens: 200_000,
      max_tokens: 64_000,
    })),
    has_more: false,
    first_id: models[0] ?? null,
    last_id: models.at(-1) ?? null,
  }),
});
