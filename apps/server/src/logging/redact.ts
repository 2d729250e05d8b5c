/** Patterns of secrets that no log line may contain. None of them spans the end of a JSON line. */
const SECRETS = [
  /mfk_[0-9A-Za-z]{20,}/g,
  /Bearer\s+[^\s"\\]+/gi,
  /sk-[\w-]{16,}/g,
  /([?&](?:s|sig|signature|key|token|X-Amz-[A-Za-z]+)=)[^&\s"\\]+/gi,
];

/** An address with what follows it, taken once: a pattern up to its `@` would be tried from each address to the end. */
const ADDRESS = /(\w:\/\/)([^\s"\\]*)/g;

const withoutCredentials = (text: string): string =>
  text.replace(ADDRESS, (whole, scheme: string, rest: string) =>
    rest.includes("@") ? `${scheme}[redacted]${rest.slice(rest.lastIndexOf("@") + 1)}` : whole,
  );

/** Removes secrets from finished log lines, one or several at once. */
export const redact = (lines: string): string =>
  SECRETS.reduce(
    (text, secret) =>
      text.replace(secret, (_, prefix) => `${typeof prefix === "string" ? prefix : ""}[redacted]`),
    withoutCredentials(lines),
  );
