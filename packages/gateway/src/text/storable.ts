/** The most characters of a request that its record keeps. */
const LIMIT = 64 * 1024;
const LONG_BASE64 = /[A-Za-z0-9+/_-]{1024,}={0,2}/g;
const URL_CREDENTIALS = /(https?:\/\/)[^\s"/@]+@/gi;

/** A request as its record may hold it: media cut short, credentials in URLs taken out, bounded. JSON text. */
export function storable(text: string): string {
  let kept = text;
  if (kept.length > 1024)
    kept = kept.replace(LONG_BASE64, (data) => `${data.slice(0, 64)}…(${data.length} characters)`);
  if (kept.includes("@")) kept = kept.replace(URL_CREDENTIALS, "$1");
  return kept.length <= LIMIT ? kept : JSON.stringify({ truncated: kept.slice(0, LIMIT / 2) });
}
