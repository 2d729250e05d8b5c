const CREDENTIALS = /(https?:\/\/)[^\s"/?#]*@/gi;
/** Signs of a link that is signed, or lets its holder in. */
const SIGNATURE = /([?&](?:s|sig|signature|key|token|X-Amz-[A-Za-z-]+)=)[^&\s"#]+/gi;

/** Text whose links are kept without what lets their holder in: credentials are taken out, signatures covered up. */
export function withoutSecrets(text: string): string {
  const bare = text.includes("@") ? text.replace(CREDENTIALS, "$1") : text;
  return bare.includes("=") ? bare.replace(SIGNATURE, "$1[redacted]") : bare;
}
