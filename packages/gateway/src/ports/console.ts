/** A built file of the console. */
export interface ConsoleFile {
  /** The content type: `text/html; charset=utf-8`. */
  type: string;
  /** The contents. */
  bytes: Uint8Array;
  /** The contents as compressed at the build, by content encoding. */
  packed: { br?: Uint8Array; gzip?: Uint8Array };
  /** The entity tag, which changes with the bytes. */
  tag: string;
  /** The file's name changes with its bytes, so it can be cached forever. */
  isLasting: boolean;
}

/** The files and settings of the console. */
export interface Console {
  /** The built files, from `consoleFiles()`. */
  files: ConsoleFiles;
  /** The origin of links to media, such as a bucket's, if it is another than the service's. */
  mediaOrigin?: string;
  /**
   * Sessions also work over plain HTTP, where anyone on the network can read them. Default: only on the machine
   * itself.
   */
  insecureCookies?: boolean;
  /** Signs in the operator of a first start without a password. */
  invitation?: Invitation;
}

/** The kinds of sessions that a browser keeps: an account's and an operator's. */
export type BrowserSession = "session" | "operator";

/** A link that signs in on the service's machine: once for each kind of session, for ten minutes. */
export interface Invitation {
  /** The secret of the link. */
  token: string;
  /** The account or credential to sign in, the first time that the token is used for this kind of session in time. */
  accept(token: string, to: BrowserSession, at: number): string | undefined;
}

/** The files of the console by their paths below `/console/`. All screens share `index.html`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;
