/**
 * An incremental translator: same inputs, same outputs. It has no clock, ids or I/O, so a recorded stream
 * replays exactly and a whole stream is tested as an array.
 */
export interface Machine<In, Out> {
  /** Takes one input and returns what it gives rise to, in order. */
  step(input: In): Out[];
  /** The input is over: returns what was held back. Called once. */
  end(): Out[];
}

/** Feeds every output of `first` to `second`. */
export function chain<A, B, C>(first: Machine<A, B>, second: Machine<B, C>): Machine<A, C> {
  const through = (outputs: B[]): C[] => {
    if (outputs.length === 1) return second.step(outputs[0] as B);
    const all: C[] = [];
    for (const output of outputs) for (const result of second.step(output)) all.push(result);
    return all;
  };
  return {
    step: (input) => through(first.step(input)),
    end: () => {
      const held = through(first.end());
      const last = second.end();
      return held.length === 0 ? last : held.concat(last);
    },
  };
}

/** Everything a machine answers to a finished input. */
export function run<In, Out>(machine: Machine<In, Out>, inputs: Iterable<In>): Out[] {
  const all: Out[] = [];
  for (const input of inputs) for (const output of machine.step(input)) all.push(output);
  for (const output of machine.end()) all.push(output);
  return all;
}

/** A machine from a function of one input that holds nothing back. */
export function each<In, Out>(step: (input: In) => Out[]): Machine<In, Out> {
  return { step, end: () => [] };
}
