import { UNITS } from "@manifold-gateway/core/pricing";
import type { webhooks } from "../api/schema.d.ts";
import { inWords, PROTOCOLS, UNITS as UNIT_WORDS } from "../request/words.ts";
import type { Option } from "../ui/options.ts";
import type { Member, Section } from "./calls.ts";

/** What a member of a section is called. */
export const KINDS: Record<Section, string> = {
  providers: "provider",
  models: "model",
  webhooks: "webhook",
  keyDefaults: "key defaults",
};

/** A member in a sentence. `*` stands for all accounts that have no defaults of their own. */
export const nameOf = ({ section, name }: { section: Section; name: string }): string =>
  section === "keyDefaults"
    ? `the key defaults of ${name === "*" ? "all other accounts" : name}`
    : `the ${KINDS[section]} ${name}`;

/** What was done to a member, as a sentence. */
export const sayDone = (section: Section, name: string, done: string): string =>
  `${capital(nameOf({ section, name }))} ${section === "keyDefaults" ? "were" : "was"} ${done}.`;

export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Where a member can be changed, in a word. */
export const SOURCES: Record<Member["source"], string> = {
  file: "file",
  database: "here",
  service: "built in",
};

type Event = Exclude<keyof webhooks, "webhook.test">;

/** The events that webhooks receive. */
export const EVENTS: Record<Event, string> = {
  "key.cap_reached": "A key reaches 80 or 95 % of a cap",
  "account.balance_low": "A balance falls below a threshold",
  "job.ended": "A job ends",
  "generation.orphaned": "A request loses its answer",
  "entry.circuit_opened": "A route fails and is passed over",
};

export const optionsOf = (words: Readonly<Record<string, string>>): Option[] =>
  Object.entries(words).map(([value, text]) => ({ value, text }));

/** The protocols that a provider may speak. */
export const SPOKEN = optionsOf(PROTOCOLS).filter(({ value }) =>
  ["chatstyle", "responses", "msgstyle", "genstyle", "conversestyle"].includes(value),
);

export const MODALITIES = ["text", "image", "file", "audio", "video", "embedding"].map((value) => ({
  value,
  text: value,
}));

/** What prices are for. */
export const PRICED: Option[] = UNITS.map((unit) => ({ value: unit, text: inWords(UNIT_WORDS, unit) }));
