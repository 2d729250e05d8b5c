/** Checks whether a size is one, and not left to the model by a word that only some wires have. */
export const isSized = (size: string | undefined): size is string => size !== undefined && size !== "auto";
