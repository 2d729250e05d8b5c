/** One call of the service, as programs in several languages make it. */
export interface Sample {
  method: string;
  url: string;
  /** The header of the credential and the environment variable that it is read from; absent where there is none. */
  credential: { header: string; variable: string; prefix?: string } | undefined;
  body: unknown;
}

/** A text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A call as a command; its texts stand in single quotes, which end where they have one. */
export function toCurl({ method, url, credential, body }: Sample): string {
  const { header, variable, prefix = "" } = credential ?? {};
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(url)}`,
    ...(header ? [`-H "${header}: ${prefix}$${variable}"`] : []),
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return lines.join(" \\\n  ");
}
