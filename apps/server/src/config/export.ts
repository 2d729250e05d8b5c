import type { DeclarationEditor } from "@manifold-gateway/gateway";
import type { Declaration } from "@manifold-gateway/store";
import { keyVaultOf } from "./build.ts";
import { mergeDeclarations } from "./declarations.ts";
import type { Settings } from "./load.ts";
import { mapSecrets } from "./redact-secrets.ts";
import { isVariable, openSecrets, withSecretsOf } from "./sealed-secrets.ts";
import { withMembers } from "./sections.ts";
import { variablesIn } from "./variables.ts";

type Exported = Awaited<ReturnType<DeclarationEditor["export"]>>;
type Document = Record<string, Record<string, unknown> | undefined>;

/** Sections whose names are left out of the names of variables. */
const PLAIN = new Set<PropertyKey>(["providers", "models"]);
const hasPassword = (address: string): boolean => URL.canParse(address) && new URL(address).password !== "";

/** The address of the database, or its settings, with a variable for each address that has a password. */
function withoutPasswords(store: unknown, toVariable: (path: readonly PropertyKey[]) => string): unknown {
  const hide = (name: string, value: unknown): unknown =>
    typeof value === "string" && hasPassword(value) ? toVariable(["database", name]) : value;
  if (typeof store !== "object" || store === null) return hide("url", store);
  return Object.fromEntries(Object.entries(store).map(([name, value]) => [name, hide(name, value)]));
}

/**
 * A configuration and the declarations in force as one file. Each credential becomes a variable of the environment,
 * named by its place, unless it is one already.
 */
export function exportConfiguration(base: Settings, stored: readonly Declaration[]): Exported {
  const whole = wholeDocument(base, stored);
  const used = new Set(variablesIn(JSON.stringify(whole)));
  const variables: string[] = [];
  const toVariable = (path: readonly PropertyKey[]): string => {
    const first = variableNameOf(path);
    let name = first;
    for (let n = 2; used.has(name); n++) name = `${first}_${n}`;
    used.add(name);
    variables.push(name);
    return `\${${name}}`;
  };
  const { accounts, store, ...rest } = whole;
  const document = mapSecrets(rest, (text, path) =>
    isVariable(text) ? text : toVariable(namedPath(rest, path)),
  );
  return {
    document: {
      ...(document as Exported["document"]),
      ...(store !== undefined && {
        store: withoutPasswords(store, toVariable) as Exported["document"],
      }),
      ...(accounts && { accounts: withKeyVariables(accounts, toVariable) as Exported["document"] }),
    },
    variables,
  };
}

/** The document of a file, or the database alone of a service without one, with the declarations in force. */
function wholeDocument(base: Settings, stored: readonly Declaration[]): Document {
  const { omissions } = mergeDeclarations(base, stored);
  const omitted = new Set(omissions.map(({ declaration }) => declaration));
  const whole = (base.source?.file === undefined ? { store: base.config.store } : base.document) as Document;
  const members = stored
    .filter((one) => !omitted.has(one))
    .map((one) => ({
      ...one,
      value: withSecretsOf(one.value ?? {}, openSecrets(one, keyVaultOf(base.config)) ?? {}),
    }));
  return withMembers(whole, members) as Document;
}

/** The path of a credential, with the name of a list's member in place of its index. */
function namedPath(document: Document, [section = "", member = "", ...rest]: readonly PropertyKey[]) {
  const name = (document[String(section)]?.[String(member)] as { name?: unknown } | undefined)?.name;
  return [section, Array.isArray(document[String(section)]) && name ? String(name) : member, ...rest];
}

/** Accounts with a variable for each key. */
function withKeyVariables(accounts: object, toVariable: (path: readonly PropertyKey[]) => string): object {
  const ofKey = (text: unknown, path: readonly PropertyKey[]): unknown =>
    typeof text !== "string" || isVariable(text) ? text : toVariable(path);
  return Object.fromEntries(
    Object.entries(accounts).map(([account, { keys = {}, ...rest }]) => [
      account,
      {
        ...rest,
        keys: Object.fromEntries(
          Object.entries<unknown>(keys).map(([name, value]) => {
            const path = ["account", account, "key", name];
            if (typeof value !== "object" || value === null) return [name, ofKey(value, path)];
            return [name, { ...value, key: ofKey((value as { key?: unknown }).key, path) }];
          }),
        ),
      },
    ]),
  );
}

/** A variable's name by the place of its credential: `ACME_KEY` for `providers.acme.key`. */
export function variableNameOf(path: readonly PropertyKey[]): string {
  const [section = "", ...rest] = path;
  const words = PLAIN.has(section) ? rest : path;
  const name = words
    .map(String)
    .join("_")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();
  return /^[0-9]/.test(name) ? `_${name}` : name;
}
