import * as z from "zod";
import { Refusal } from "../refusal.ts";
import { type Fault, readFault } from "./faults.ts";
import { type Outcome, readOutcome } from "./outcomes.ts";

const object = z.record(z.string(), z.unknown());

/** What the last text of the user tells the simulator to do: see the table of directives in the documentation. */
export interface Directives {
  /** Answer this text. */
  text?: string;
  /** Answer this JSON text, characters unchanged. */
  json?: string;
  /** Call these tools; arguments are JSON text, made up from the schema when absent. */
  calls: { name: string; args?: string }[];
  /** Call this many of the offered tools. */
  count?: number;
  /** Reason before the answer. */
  reason: boolean;
  /** Reason, and hide the text in opaque state. */
  redacted: boolean;
  /** Stop half way, as at the token limit. */
  length: boolean;
  /** Refuse to answer. */
  refuse: boolean;
  /** Quote the system text. */
  system: boolean;
  /** Report half of the input as read from the cache. */
  cached: boolean;
  /** Break the exchange in this way. */
  fault?: Fault;
  /** Let a media job end in this way. */
  outcome?: Outcome;
}

interface Directive {
  /** The written form, by example. */
  write: string;
  does: string;
  set(directives: Directives, value: string): void;
}

/** Everything a client can write into its last user text to steer the answer, from however far away. */
export const DIRECTIVES: Record<string, Directive> = {
  call: {
    write: '[[call:get_weather {"city":"Paris"}]]',
    does: "calls this tool; without arguments they are made up from its schema. Repeat it for parallel calls",
    set: (directives, value) => {
      const [, name = "", args] = value.match(/^\s*(\S+)\s*([\s\S]*)$/) ?? [];
      if (args && !object.safeParse(parse(args)).success) throw malformed(`call:${value}`);
      directives.calls.push({ name, ...(args ? { args } : {}) });
    },
  },
  calls: {
    write: "[[calls:2]]",
    does: "calls this many of the offered tools at once",
    set: (directives, value) => {
      const count = z.coerce.number().int().min(1).max(128).safeParse(value);
      if (!count.success) throw malformed(`calls:${value}`);
      directives.count = count.data;
    },
  },
  text: {
    write: "[[text:any words]]",
    does: "answers these words",
    set: (directives, value) => {
      directives.text = value;
    },
  },
  json: {
    write: '[[json:{"any":"value"}]]',
    does: "answers this JSON, characters unchanged, schema or not",
    set: (directives, value) => {
      if (parse(value) === undefined) throw malformed(`json:${value}`);
      directives.json = value;
    },
  },
  reason: flag("reason", "reasons before the answer, asked for or not", "reason"),
  redacted: flag("redacted", "reasons, and hides the reasoning's text behind opaque state", "redacted"),
  length: flag("length", "stops half way, as at the output limit", "length"),
  refuse: flag("refuse", "refuses to answer", "refuse"),
  system: flag("system", "quotes the system text in the answer", "system"),
  cached: flag("cached", "reports half of the input as read from the cache", "cached"),
  fault: {
    write: "[[fault:status=429,retry-after=2]]",
    does: "breaks the exchange; the faults have their own table",
    set: (directives, value) => {
      directives.fault = readFault(value);
    },
  },
  outcome: {
    write: "[[outcome:running=2,fail=moderation]]",
    does: "decides what becomes of media work; the outcomes have their own table",
    set: (directives, value) => {
      directives.outcome = readOutcome(value);
    },
  },
  step: {
    write: "[[call:a]] [[step]] [[call:b]] [[step]] [[text:done]]",
    does: "separates the answers of a tool loop: what stands after the n-th one is for step n + 1",
    set: () => {},
  },
};

function flag(
  name: string,
  does: string,
  key: "reason" | "redacted" | "length" | "refuse" | "system" | "cached",
): Directive {
  return {
    write: `[[${name}]]`,
    does,
    set: (directives) => {
      directives[key] = true;
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function malformed(written: string): Refusal {
  return new Refusal("invalid", `The directive [[${written}]] does not hold what it should.`);
}

/** Where a directive's value ends: at the first `]]` outside JSON brackets, or, if unbalanced, the first at all. */
function endOf(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (quoted) {
      if (char === "\\") at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[") depth++;
    else if (depth === 0 && text.startsWith("]]", at)) return at;
    else if (char === "}" || char === "]") depth--;
  }
  return text.indexOf("]]", from);
}

interface Written {
  name: string;
  value: string;
}

const OPENING = new RegExp(`\\[\\[(${Object.keys(DIRECTIVES).join("|")})(:|\\]\\])`, "g");

function scan(text: string): { written: Written[]; rest: string } {
  const written: Written[] = [];
  let rest = "";
  let at = 0;
  for (const match of text.matchAll(OPENING)) {
    if (match.index < at) continue;
    const from = match.index + match[0].length;
    const end = match[2] === ":" ? endOf(text, from) : from - 2;
    if (end < 0) break;
    written.push({ name: match[1]!, value: match[2] === ":" ? text.slice(from, end) : "" });
    rest += text.slice(at, match.index);
    at = end + 2;
  }
  return { written, rest: (rest + text.slice(at)).replace(/ {2,}/g, " ").trim() };
}

/** The text without its directives: what the answer echoes. */
export function plainText(text: string): string {
  return scan(text).rest;
}

/**
 * The directives a text holds for one step of a tool loop (1 is the answer to the text itself). Without a
 * `[[step]]`, calls belong to step 1 and everything else to every step.
 */
export function readDirectives(text: string, step = 1): Directives {
  const sections: Written[][] = [[]];
  for (const written of scan(text).written) {
    if (written.name === "step") sections.push([]);
    else sections.at(-1)!.push(written);
  }
  const single = sections.length === 1;
  const section = single ? sections[0]! : (sections[step - 1] ?? []);
  const directives: Directives = {
    calls: [],
    reason: false,
    redacted: false,
    length: false,
    refuse: false,
    system: false,
    cached: false,
  };
  for (const { name, value } of section) {
    if (single && step > 1 && (name === "call" || name === "calls")) continue;
    DIRECTIVES[name]!.set(directives, value);
  }
  return directives;
}
