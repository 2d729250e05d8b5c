import type { Traits } from "@manifold-gateway/core/codec";
import { claude } from "./claude.ts";
import { conversationFamilies } from "./conversations.ts";
import { type Family, familyFinder } from "./family.ts";
import { gemini } from "./gemini.ts";
import { gpt } from "./gpt.ts";
import { open } from "./open.ts";
import { others } from "./others.ts";
import { sources } from "./sources.ts";

/** The known families of text models, as of November 2026. */
export const families: readonly Family[] = [...claude, ...gpt, ...gemini, ...open, ...others];

/** The family of the text model of this name, on any provider; none for an unknown vendor's model. */
export const familyOf = familyFinder(families);

/** The family whose form of conversations a model of this name has. */
export const conversationFamilyOf = familyFinder(conversationFamilies);

/** The known traits of the text model of this name. Without rows, the protocol's newest behaviour is assumed. */
export const knownTraits = (name: string): Traits => ({
  ...conversationFamilyOf(name)?.traits,
  ...familyOf(name)?.traits,
});

/** A row of the known families. */
export interface FamilyRow {
  /** The patterns of the names of its models. */
  row: string;
  /** What it was read from. */
  at: string;
  /** The month in which it was read. */
  read: string;
}

/** The rows that the text model of this name fits: of its settings, and of the form of its conversations. */
export const familyRowsOf = (name: string): FamilyRow[] =>
  [familyOf(name), conversationFamilyOf(name)].flatMap((family) =>
    family ? [{ row: family.names.join(", "), ...sources[family.source] }] : [],
  );
