import type { Migration } from "./migrate.ts";

/**
 * Shortens the stored prefix of configured keys to one character: such keys may have only 8 characters, which the
 * prefix showed in full. Names of requests now belong to a key instead of an account.
 */
export const keyStubs: Migration = {
  name: "key-stubs",
  statements: () => [
    "UPDATE api_keys SET prefix = substr(prefix, 1, 1) WHERE substr(prefix, 1, 4) <> 'mfk_'",
    `UPDATE repeats SET name = COALESCE(
      (SELECT key_id FROM generations WHERE generations.id = repeats.generation_id), 'session') || ' ' || name`,
  ],
};
