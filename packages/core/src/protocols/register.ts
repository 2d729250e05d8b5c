import type { AnyCodec } from "../translate/translate.ts";
import { addFacts, wireFacts } from "./facts.ts";
import { codecs } from "./index.ts";

/**
 * Registers a protocol of the program's own: a gateway then finds its codec by name, and code that reads bodies
 * without knowing their wire knows its members. Call it once, before the first request.
 */
export function registerProtocol(codec: AnyCodec): void {
  const { protocol, facts } = codec;
  const known: Partial<Record<string, AnyCodec>> = codecs;
  if (known[protocol] === codec) return;
  if (known[protocol]) throw new Error(`There is another protocol called '${protocol}'.`);
  const others = Object.values(wireFacts).map(({ letter }) => letter);
  if (!/^[a-z]$/.test(facts.letter) || others.includes(facts.letter))
    throw new Error(
      `facts.letter of '${protocol}' is '${facts.letter}'; it must be one of a to z but ${others.join(", ")}.`,
    );
  known[protocol] = codec;
  addFacts(protocol, facts);
}
