/** The words for errors of the system and of TLS, by their codes. */
export const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing accepts connections there",
  ECONNRESET: "the connection was closed",
  ENOTFOUND: "its host has no address",
  EAI_AGAIN: "no name server answers",
  EHOSTUNREACH: "its host cannot be reached",
  ENETUNREACH: "its network cannot be reached",
  ETIMEDOUT: "it does not answer in time",
  UND_ERR_CONNECT_TIMEOUT: "it does not answer in time",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "nobody known here has signed its certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "nobody known here has signed its certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "nobody known here has signed its certificate",
  EADDRINUSE: "the address is in use",
  EADDRNOTAVAIL: "this machine has no such address",
  EACCES: "this user may not",
  EPERM: "this user may not",
  EROFS: "the disk can only be read",
  ENOSPC: "the disk is full",
  ENOENT: "it is not there",
  ENOTDIR: "a file is where a folder should be",
};

/** A system's error in plain words, with its code for a search; undefined if it has no code. */
export function systemWords(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code !== "string") return undefined;
  const words = SYSTEM_WORDS[code];
  return words === undefined ? code : `${words} (${code})`;
}
