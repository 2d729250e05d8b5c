/** The characters of a text as they are limited and billed: code points, spaces and punctuation included. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
