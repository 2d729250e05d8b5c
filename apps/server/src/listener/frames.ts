/** The head of a client's frame, before its payload: RFC 6455, section 5.2. */
export interface FrameHead {
  opcode: number;
  /** Whether it is the only or last frame of its message. */
  isFinal: boolean;
  /** The payload's length in bytes. */
  length: number;
  mask: Uint8Array;
  /** The head's own length in bytes. */
  size: number;
}

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const KNOWN: ReadonlySet<number> = new Set(Object.values(opcodes));
/** The lowest opcode of control frames. */
const CONTROL = 8;
const LONGEST_CONTROL = 125;
const MASK = 4;

export const isControl = ({ opcode }: Pick<FrameHead, "opcode">): boolean => opcode >= CONTROL;

/** Reads the head of a frame: undefined if more bytes are needed, a text with the reason if it is invalid. */
export function readHead(bytes: Buffer): FrameHead | string | undefined {
  if (bytes.length < 2) return undefined;
  const [first, second] = bytes as unknown as [number, number];
  const opcode = first & 0x0f;
  const isFinal = (first & 0x80) !== 0;
  const short = second & 0x7f;
  if ((first & 0x70) !== 0) return "reserved bits must be clear";
  if (!KNOWN.has(opcode)) return `opcode ${opcode} is not defined`;
  if ((second & 0x80) === 0) return "frames of a client must be masked";
  if (isControl({ opcode }) && (!isFinal || short > LONGEST_CONTROL))
    return "a control frame must be whole, and at most 125 bytes long";
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const size = 2 + extended + MASK;
  if (bytes.length < size) return undefined;
  const length =
    extended === 0 ? short : extended === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  // A copy, because a slice would keep a possibly large buffer in memory.
  return { opcode, isFinal, length, mask: Uint8Array.from(bytes.subarray(size - MASK, size)), size };
}

/** Unmasks a piece of a payload in place; `at` is its offset in the payload. */
export function unmask(piece: Buffer, mask: Uint8Array, at: number): void {
  for (let i = 0; i < piece.length; i++) piece[i] = (piece[i] as number) ^ (mask[(at + i) & 3] as number);
}
