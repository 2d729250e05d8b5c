/** What an operator does about an error of a database that is not reached or not used, by its code and its message. */
const HINTS: readonly { code?: RegExp; message?: RegExp; reason?: string; do: string }[] = [
  {
    code: /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?)$/,
    reason: "nobody known here has signed the server's certificate",
    do: "name the file of its authority in the address: sslrootcert=FILE",
  },
  {
    code: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    do: "name the server in the address as its certificate does",
  },
  {
    message: /\bno encryption$|SSL (connection )?(is )?required/i,
    do: "the server demands TLS: add sslmode=verify-full to the address",
  },
  {
    message: /client password must be a string|empty password returned/,
    reason: "the server asks for a password, and the address has none",
    do: "write it as user:password@, or set PGPASSWORD",
  },
  {
    code: /^42501$/,
    message: /for schema/,
    do: "let the user own the database, or GRANT CREATE ON SCHEMA to it",
  },
];

/** The message of an error of a database, with what to do about it where that is known. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: string }).code ?? "";
  const hint = HINTS.find(
    (one) => (one.code?.test(code) ?? true) && (one.message?.test(error.message) ?? true),
  );
  return hint ? `${hint.reason ?? error.message}; ${hint.do}` : error.message;
}
