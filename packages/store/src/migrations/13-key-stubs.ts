import type { Migration } from "./migrate.ts";

/**
 * Keys of files may have had 8 characters, of which the prefix showed all: a fifth of them is one. Names of requests
 * count for a key, where they counted for an account.
 */
export const keyStubs: Migration = {
  name: "key-stubs",
  statements: () => [
    "UPDATE api_keys SET prefix = substr(prefix, 1, 1) WHERE substr(prefix, 1, 4) <> 'mfk_'",
    `UPDATE repeats SET name = COALESCE(
      (SELECT key_id FROM generations WHERE generations.id = repeats.generation_id), 'session') || ' ' || name`,
  ],
};
