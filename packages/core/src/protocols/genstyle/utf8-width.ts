export function widthAt(text: string, i: number): [units: number, bytes: number] {
  const code = text.charCodeAt(i);
  if (code < 0x80) return [1, 1];
  if (code < 0x800) return [1, 2];
  const next = text.charCodeAt(i + 1);
  return code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000 ? [2, 4] : [1, 3];
}
