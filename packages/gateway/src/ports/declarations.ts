import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import type { By } from "@manifold-gateway/store";
import type { CatalogChange } from "./services.ts";

/** A section of the configuration whose members operators can declare. */
export type DeclaredSection = "providers" | "models" | "webhooks" | "keyDefaults";

/** A member of a section of the configuration, with the place that declares it. */
export interface DeclaredMember {
  /** The section of the configuration. */
  section: DeclaredSection;
  /** The name in the section. */
  name: string;
  /** Where it can be changed: in the configuration file, or by this service. `service`: nowhere, it is built in. */
  source: "file" | "database" | "service";
  /** The configuration file, if it is of one. */
  file?: string;
  /** The number of its last change, if it is of the database. */
  revision?: number;
  /** The time of that change, in ms. */
  at?: number;
  /** The member in the form of the file, without credentials. */
  value: JsonObject;
  /** Why it is not in force. Empty: it is. */
  problems: readonly string[];
}

/** A change of one member. */
export interface DeclarationRequest {
  /** The section of the configuration. */
  section: DeclaredSection;
  /** The name in the section. */
  name: string;
  /** The member in the form of the file. Absent: it is removed. */
  value?: JsonObject;
  /** The revision that the change starts from. Absent: any. */
  revision?: number;
}

/** How a change is made, and by whom. */
export interface DeclarationTerms {
  /** True if it is made even though it breaks what callers use now. */
  isConfirmed: boolean;
  /** True if only its effects are found out. */
  isPreview: boolean;
  /** The operator, for the audit log. */
  by: By;
}

/** The effects of a change. */
export interface DeclarationEffects {
  /** The changed members before and after, without credentials. */
  members: readonly { section: string; name: string; before?: JsonObject; after?: JsonObject }[];
  /** Why the change cannot be made: findings, as for the configuration file. */
  problems: readonly string[];
  /** What callers use now and could no longer use. */
  breaks: readonly string[];
  /** The changes of models, entries and prices. */
  changes: readonly CatalogChange[];
  /** The entries that may serve the changed models, by priority. */
  routes: readonly { model: string; before: readonly string[]; after: readonly string[] }[];
}

/** The result of a change, or the reason for refusing it. */
export type DeclarationOutcome =
  | ({ isApplied: boolean; revisions: readonly number[] } & DeclarationEffects)
  | {
      refusal: `declaration_${"not_found" | "of_file" | "outdated" | "breaks" | "invalid"}`;
      errors: readonly string[];
    };

/** Reads and changes the parts of the configuration that are declared beside its file. */
export interface DeclarationEditor {
  /** All members of these sections, those of the file among them. */
  list(): Promise<readonly DeclaredMember[]>;
  /** Makes changes together, or none of them. */
  change(changes: readonly DeclarationRequest[], terms: DeclarationTerms): Promise<DeclarationOutcome>;
  /** Undoes changes by their revisions, as far as they are the last of their names. */
  undo(revisions: readonly number[], terms: DeclarationTerms): Promise<DeclarationOutcome>;
  /** The whole as a configuration file, and the variables that its credentials are to be put in. */
  export(): Promise<{ document: { [name: string]: Json }; variables: readonly string[] }>;
}
