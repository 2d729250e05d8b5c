import fc from "fast-check";

/**
 * Generated values are the same in every run, so that a failure is a change's and not chance's. `FC_SEED` looks
 * elsewhere: `FC_SEED=$RANDOM npm test`; a counterexample it finds belongs into the test as an example.
 */
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_121) });
