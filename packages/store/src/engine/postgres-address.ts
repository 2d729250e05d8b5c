/** The values of an option of an address; undefined if any text may stand there. */
type Values = readonly string[] | undefined;

const TLS_MODES = ["disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"] as const;

/** The options of an address that the driver reads; it would ignore any other, such as a misspelt `sslmode`. */
const OPTIONS: Readonly<Record<string, Values>> = {
  sslmode: TLS_MODES,
  sslrootcert: undefined,
  sslcert: undefined,
  sslkey: undefined,
  sslnegotiation: ["direct", "postgres"],
  ssl: ["true", "1", "0"],
  uselibpqcompat: ["true"],
  application_name: undefined,
  client_encoding: undefined,
  host: undefined,
  options: undefined,
};

/** Reads an address as the driver does: one without a host leads to this machine. */
const read = (url: string): URL | undefined =>
  URL.parse(url) ?? URL.parse(url.replace("@/", "@localhost/")) ?? undefined;

/** Says what is wrong with the address of a Postgres, without repeating it. Undefined if it can be used. */
export function problemOfPostgres(url: string): string | undefined {
  const parsed = read(url);
  if (!parsed)
    return "must be postgres://user:password@host:5432/database with one host; in the password, # is written %23, / %2F, ? %3F and @ %40";
  for (const [name, value] of parsed.searchParams) {
    if (!Object.hasOwn(OPTIONS, name))
      return `there is no option '${name}' of Postgres; known are ${Object.keys(OPTIONS).join(", ")}`;
    const values = OPTIONS[name];
    if (values && !values.includes(value)) return `'${name}' must be ${values.join(", ")}`;
  }
  return undefined;
}

/**
 * The address as the driver takes it. Modes of TLS that check less elsewhere check everything here, and say so: the
 * driver would do the same with a warning at each start.
 */
export function toDriver(url: string): string {
  if (read(url)?.searchParams.has("uselibpqcompat")) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}
