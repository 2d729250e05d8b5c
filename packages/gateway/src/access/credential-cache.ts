/**
 * How long cached credentials are used before the store's revision is checked, in milliseconds. A change takes effect
 * in every process within this time.
 */
const CHECK = 250;
/** The most cached credentials. */
const ROOM = 10_000;

/** The owner of a credential, and the time until which it is accepted, in milliseconds since the epoch. */
export interface CachedOwner<Of> {
  owner: Of;
  until: number;
}

export interface Memory<Of> {
  /** Returns the owner of a credential, from the cache or by `find`. Returns no promise if nothing has to be read. */
  recall(
    name: string,
    find: () => Promise<CachedOwner<Of> | undefined>,
  ): Promise<Of | undefined> | Of | undefined;
  forget(): void;
}

/**
 * Caches the owners of credentials until the `revision` of the store shows a change. Unknown credentials are not
 * cached, so that guesses cannot displace known ones.
 */
export function createMemory<Of>(revision: () => Promise<number>, now: () => number): Memory<Of> {
  const known = new Map<string, CachedOwner<Of>>();
  let seen: number | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;
  /** Raised whenever the cache is cleared: a result that was read before is not cached after it. */
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
  /** Checks the revision, unless the last check is recent. A clock that was set back causes a check. */
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
    find: () => Promise<CachedOwner<Of> | undefined>,
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
