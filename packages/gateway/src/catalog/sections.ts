import type { DeclaredSection } from "../ports/declarations.ts";

const sections: Record<DeclaredSection, true> = {
  providers: true,
  models: true,
  webhooks: true,
  keyDefaults: true,
};

/** The sections of a configuration whose members operators can declare while the service runs. */
export const DECLARED_SECTIONS = Object.keys(sections) as DeclaredSection[];
