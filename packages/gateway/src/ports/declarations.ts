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
  /** What in the changed members is probably not meant as it is. It stops nothing. */
  doubts: readonly string[];
  /** The changes of models, entries and prices. */
  changes: readonly CatalogChange[];
  /** The entries that may serve the changed models, by priority. */
  routes: readonly { model: string; before: readonly string[]; after: readonly string[] }[];
}

/** The reason for refusing a change or a test. */
export interface DeclarationRefusal {
  /** The code of the refusal. */
  refusal: `declaration_${"not_found" | "of_file" | "outdated" | "breaks" | "invalid"}`;
  /** What is wrong, as sentences. */
  errors: readonly string[];
}

/** The result of a change, or the reason for refusing it. */
export type DeclarationOutcome =
  | ({ isApplied: boolean; revisions: readonly number[] } & DeclarationEffects)
  | DeclarationRefusal;

/** A provider or a webhook to test. */
export interface DeclarationTest {
  /** Its name. */
  name: string;
  /** The member in the form of the file, which is not stored. Absent: as it is declared. */
  value?: JsonObject;
}

/** The result of asking a provider for its models. */
export interface ProviderTest {
  /** What it does. All but `listed` and `untried` are failures. */
  verdict:
    | "listed"
    | "untried"
    | "refused"
    | "not_found"
    | "rejected"
    | "busy"
    | "failing"
    | "unreadable"
    | "unreachable";
  /** A sentence on it, without credentials. */
  finding: string;
  /** What to do, as a sentence. */
  todo?: string;
  /** Milliseconds until the answer. */
  ms: number;
  /** The models that it lists, and those that are known of it. */
  models: readonly ProposedModel[];
}

/** A model of a provider, as it could be declared. */
export interface ProposedModel {
  /** The provider's name for it. */
  name: string;
  /** The member `models` in the form of the file, with a price if the public lists have one. */
  value: JsonObject;
  /** Whether it has a price. */
  isPriced: boolean;
  /** Whether the public lists say that the provider no longer serves it. */
  isRetired: boolean;
  /** The place that declares a model of this name. Absent: there is none. */
  declared?: DeclaredMember["source"];
}

/** The result of sending an event to a webhook. */
export interface WebhookTest {
  /** Whether it has accepted the event. */
  isAccepted: boolean;
  /** A sentence on it. */
  finding: string;
  /** Milliseconds until the answer. */
  ms: number;
}

/** Reads and changes the parts of the configuration that are declared beside its file. */
export interface DeclarationEditor {
  /** All members of these sections, those of the file among them. */
  list(): Promise<readonly DeclaredMember[]>;
  /** Makes changes together, or none of them. */
  change(changes: readonly DeclarationRequest[], terms: DeclarationTerms): Promise<DeclarationOutcome>;
  /** Undoes changes by their revisions, as far as they are the last of their names. */
  undo(revisions: readonly number[], terms: DeclarationTerms): Promise<DeclarationOutcome>;
  /** Asks a provider for its models, which is free. */
  testProvider(test: DeclarationTest): Promise<ProviderTest | DeclarationRefusal>;
  /** Sends an event to a webhook, once. */
  testWebhook(test: DeclarationTest): Promise<WebhookTest | DeclarationRefusal>;
  /** The whole as a configuration file, and the variables that its credentials are to be put in. */
  export(): Promise<{ document: { [name: string]: Json }; variables: readonly string[] }>;
}
