/** A box as a tree: the boxes inside it by type, in order. */
interface Node {
  type: string;
  body: Buffer;
}

export function nodes(range: Buffer): Node[] {
  const all: Node[] = [];
  for (let at = 0; at + 8 <= range.length; ) {
    const short = range.readUInt32BE(at);
    const length =
      short === 0 ? range.length - at : short === 1 ? Number(range.readBigUInt64BE(at + 8)) : short;
    all.push({
      type: range.toString("latin1", at + 4, at + 8),
      body: range.subarray(at + (short === 1 ? 16 : 8), at + length),
    });
    at += length;
  }
  return all;
}

export const under = (range: Buffer, type: string): Buffer[] =>
  nodes(range).flatMap((node) => (node.type === type ? [node.body] : []));

export const only = (range: Buffer, ...path: string[]): Buffer =>
  path.reduce((inner, type) => {
    const [found] = under(inner, type);
    if (!found) throw new Error(`no ${type}`);
    return found;
  }, range);
