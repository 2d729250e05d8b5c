/** A file of the console as it was built. */
export interface ConsoleFile {
  type: string;
  bytes: Uint8Array;
  packed: { br?: Uint8Array; gzip?: Uint8Array };
  /** Changes with its bytes. */
  tag: string;
  /** Its name changes with its bytes, so that it can be kept for good. */
  isLasting: boolean;
}

/** What the console is served with. */
export interface Console {
  files: ConsoleFiles;
  /** Another origin that links to media lead to, such as a bucket's. */
  mediaOrigin?: string;
  /** Browsers keep sessions over plain HTTP too, where everyone on the way can read them. Default: only on the machine itself. */
  insecureCookies?: boolean;
  /** Lets the operator of a first start in without a password. */
  invitation?: Invitation;
}

/** The sessions that a browser keeps: of an account, and of an operator. */
export type BrowserSession = "session" | "operator";

/** A link that signs in on the machine of the service, each session of it once, for ten minutes. */
export interface Invitation {
  token: string;
  /** Who is invited to this session, the first time that the token is shown for it in time. */
  accept(token: string, to: BrowserSession, at: number): string | undefined;
}

/** The files of the console by their paths below `/console/`; `index.html` is the page of every screen. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;
