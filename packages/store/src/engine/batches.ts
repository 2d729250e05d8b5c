import type { Batch } from "./engine.ts";

/** Groups pieces of work by batch, in the order of each batch's first piece; a piece without a batch stays alone. */
export function toBatches<Piece extends { batch: Batch | undefined }>(group: readonly Piece[]): Piece[][] {
  const batches: Piece[][] = [];
  const known = new Map<string, Piece[]>();
  for (const piece of group) {
    const batch = piece.batch && known.get(piece.batch.key);
    if (batch) batch.push(piece);
    else {
      const begun = [piece];
      batches.push(begun);
      if (piece.batch) known.set(piece.batch.key, begun);
    }
  }
  return batches;
}
