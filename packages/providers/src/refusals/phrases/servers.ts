import type { Phrase } from "./phrase.ts";

/** The words of servers for open models, and of their models' templates. As of November 2026. */
export const servers: readonly Phrase[] = [
  {
    words: /^(?:.{0,200}\b)?System message must be at the beginning/,
    finding: "system text after the first turn",
    template: true,
  },
  {
    words:
      /^(?:.{0,200}\b)?(?:After the optional system message, conversation|Conversation) roles must alternate user\/assistant/,
    finding: "turns of one role",
    template: true,
  },
  {
    words:
      /^(?:.{0,200}\b)?(?:sequence item \d{1,6}: expected str instance, list found|can only concatenate str \(not "list"\) to str)/,
    finding: "lists of texts",
    template: true,
  },
  { words: /^(?:.{0,200}\b)?System role not supported/, finding: "system text", template: true },
  { words: /^(?:.{0,200}\b)?Unexpected message role/, finding: "developer role", template: true },
  { words: /^Unexpected (?:message )?role:? '?developer/, finding: "developer role", template: true },
  { words: /^Input tag 'developer' found using /, finding: "developer role" },
  { words: /^Input tag 'custom' found using /, finding: "free-text tools" },
  { words: /^developer is not one of \[/, finding: "developer role" },
  { words: /^'developer' is not one of \[/, finding: "developer role" },
  { words: /^"[^"]{1,200}" does not support thinking/, finding: "thinking" },
  {
    words: /^think value "(?<value>\w{1,40})" is not supported for this model/,
    parameter: "reasoning_effort",
  },
  { words: /^Grammar error: Unimplemented keys: \["(?<keyword>\w{1,40})"/ },
];
