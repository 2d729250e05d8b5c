import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Batch, EndedLine } from "@manifold-gateway/store";

/** A fault of a line, from which its error is made. */
export interface LineFault {
  code: string;
  message: string;
  /** The member at fault. */
  param?: string;
}

/** The format of a surface's batch files: lines of requests, and lines of answers. */
export interface BatchForm {
  /** The purpose of the files of its answers. */
  readonly purpose: string;
  /** The member of a line that is the body of its request. */
  readonly body: string;
  /** Returns what else is wrong with a line that has a `custom_id` and a body. */
  faultOf(line: JsonObject, batch: Pick<Batch, "endpoint">): LineFault | undefined;
  /** Checks whether a line is written to the file of errors. */
  isError(line: Pick<EndedLine, "outcome">): boolean;
  /** An ended line as JSON text. */
  write(line: EndedLine, batch: Batch): string;
}

/** The id of a line's request, in its record and its answer. */
export const requestIdOf = ({ id }: Pick<Batch, "id">, number: number): string => `${id}/${number}`;

/** The fault of a line that ended without being run. */
export const faultIn = ({ answer }: Pick<EndedLine, "answer">): LineFault =>
  JSON.parse(answer ?? "{}") as LineFault;
