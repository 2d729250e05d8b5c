import type { Json, Traits } from "@manifold-gateway/core/codec";
import { type ErrorStatement, errorStatements } from "./error-statements.ts";
import { type Phrase, phrases } from "./phrases/index.ts";
import { type Findings, traitsFrom } from "./traits-from.ts";

/** What a provider's refusal of a request says of the model. */
export interface RefusalReading {
  /** Identifies the form of words: one form with another parameter is another reading. */
  form: string;
  /** The traits that the request has to be adapted by, complete: with what the model's own lists had before. */
  traits: Traits;
  /** The path that the provider blames, in its own spelling. */
  parameter?: string;
  /** The values that it accepts there. */
  allowed?: readonly string[];
  /** The provider's words, without those of the request that they repeat. */
  because: string;
}

/** The statuses of refusals of a request's form. Of servers for open models, a failing template says it with 500. */
const FORM = new Set([400, 422]);
const TEMPLATE = 500;

/** Checks whether answers of a status can be read as a refusal. */
export const isReadableStatus = (status: number): boolean => FORM.has(status) || status === TEMPLATE;

/** Codes of errors that are about a conversation's content or length, whatever their words. */
const CONTENT =
  /content_?(?:policy|filter|management)|moderation|safety|inspection|context_length|too_long|quota/i;

/** The most words of a provider that are kept. */
const LONGEST = 200;

/**
 * Reads the error of a provider as a fact about its model, which had these traits when it refused; `undefined` if it
 * says none that a request can be adapted to. Takes any body and does not throw.
 */
export function readRefusal(
  status: number,
  body: Json | undefined,
  traits: Traits = {},
): RefusalReading | undefined {
  if (!isReadableStatus(status)) return undefined;
  for (const statement of errorStatements(body)) {
    if (CONTENT.test(statement.code ?? "")) return undefined;
    const reading = readStatement(statement, status === TEMPLATE, traits);
    if (reading) return reading;
  }
  return undefined;
}

function readStatement(
  { words, parameter: place }: ErrorStatement,
  isTemplate: boolean,
  traits: Traits,
): RefusalReading | undefined {
  for (const phrase of phrases) {
    if (isTemplate && !phrase.template) continue;
    const match = phrase.words.exec(words);
    if (!match) continue;
    const findings = findingsOf(phrase, match.groups ?? {}, place);
    const meaning = traitsFrom(findings, traits);
    if (!meaning) return undefined;
    const { parameter, allowed } = findings;
    return {
      form: phrase.words.source,
      traits: meaning,
      ...(parameter !== undefined && { parameter }),
      ...(allowed && { allowed }),
      because: wordsOf(match, parameter),
    };
  }
  return undefined;
}

function findingsOf(
  { finding, parameter }: Phrase,
  groups: Partial<Record<string, string>>,
  place: string | undefined,
): Findings {
  const { value, instead, keyword, least, below } = groups;
  const most = groups.most === undefined ? below && Number(below) - 1 : Number(groups.most);
  return {
    finding,
    parameter: groups.parameter ?? place ?? parameter,
    value,
    allowed: groups.allowed === undefined ? undefined : valuesIn(groups.allowed),
    instead,
    most: most === undefined || most === "" ? undefined : most,
    range: least === undefined || most === undefined || most === "" ? undefined : [Number(least), most],
    keyword,
  };
}

/** The values of a list in words: quoted ones, or else all words between commas. */
function valuesIn(text: string): string[] {
  const quoted = [...text.matchAll(/['"`]([^'"`]{1,40})['"`]/g)].map(([, value]) => value as string);
  if (quoted.length > 0) return quoted;
  return text.split(/[\s,]+/).filter((word) => word !== "" && word !== "and" && word !== "or");
}

/**
 * The matched words, after the member that they are about. Those of the group `request` repeat the request, which may be
 * another caller's.
 */
function wordsOf(match: RegExpExecArray, parameter: string | undefined): string {
  const { request } = match.groups ?? {};
  const shown = request === undefined ? match[0] : match[0].replace(request, () => "…");
  const member = parameter?.split(".").at(-1);
  const words = member === undefined || shown.includes(member) ? shown : `${member}: ${shown}`;
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
