export { type Fixture, type Fixtures, fixturesOf, readFixtures } from "./fixtures.ts";
export { everySplit } from "./laws/bytes.ts";
export { type Difference, differences, leaves } from "./laws/differences.ts";
export { grammarFaults } from "./laws/grammar.ts";
export { assertLaws, type Law, laws } from "./laws/laws.ts";
