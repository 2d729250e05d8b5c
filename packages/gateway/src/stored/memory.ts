/**
 * The time for which a remembered credential is used without a look at the store, in milliseconds: processes promise
 * this to each other.
 */
const CHECK = 250;
/** The number of credentials that are remembered. */
const ROOM = 10_000;

/** The owner of a credential, and the time until which it is accepted, in milliseconds since the epoch. */
export interface Known<Of> {
  owner: Of;
  until: number;
}

export interface Memory<Of> {
  /** The owner of a credential: remembered, or found. At once where nothing has to be read. */
  recall(name: string, find: () => Promise<Known<Of> | undefined>): Promise<Of | undefined> | Of | undefined;
  forget(): void;
}

/**
 * Remembers the owners of credentials for as long as the `revision` of the store says that nothing about any of them
 * has changed. Unknown credentials are never remembered, so that guesses cannot push known ones out.
 */
export function createMemory<Of>(revision: () => Promise<number>, now: () => number): Memory<Of> {
  const known = new Map<string, Known<Of>>();
  let seen: number | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;
  /** Raised by every reason to forget: what was read before it is not remembered after it. */
  let age = 0;

  const forget = (): void => {
    age += 1;
    known.clear();
  };
  const check = async (): Promise<void> => {
    const at = now();
    const current = await revision();
    if (current !== seen) forget();
    seen = current;
    checkedAt = at;
  };
  /** Nothing to wait for while the last look is recent. A clock that was set back makes it look again. */
  const fresh = (): Promise<void> | undefined => {
    const passed = now() - checkedAt;
    if (passed >= 0 && passed < CHECK) return undefined;
    checking ??= check().finally(() => {
      checking = undefined;
    });
    return checking;
  };
  const lookUp = async (
    name: string,
    waiting: Promise<void> | undefined,
    find: () => Promise<Known<Of> | undefined>,
  ): Promise<Of | undefined> => {
    await waiting;
    const found = known.get(name);
    if (found && found.until > now()) return found.owner;
    const before = age;
    const read = await find();
    if (!read || read.until <= now()) return undefined;
    if (before === age) {
      if (known.size >= ROOM) known.clear();
      known.set(name, read);
    }
    return read.owner;
  };
  return {
    recall(name, find) {
      const waiting = fresh();
      const found = waiting ? undefined : known.get(name);
      return found && found.until > now() ? found.owner : lookUp(name, waiting, find);
    },
    forget,
  };
}
