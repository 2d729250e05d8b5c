import { signal } from "@preact/signals";
import { type QueryClient, useQuery } from "@tanstack/preact-query";
import { type Answer, ApiError, call } from "../api/client.ts";
import { findingsOf } from "./values.ts";

export type Member = Answer<"/api/admin/declarations">["members"][number];
export type Section = Member["section"];
export type Value = Member["value"];
/** What a change would do, or has done. */
export type Outcome = Answer<"/api/admin/declarations", "post">;

/** A member to declare, or to remove if it has no value. */
export interface Change {
  section: Section;
  name: string;
  value?: Value;
  /** The number of the change that it starts from: another one since then is not overwritten. */
  revision?: number;
}

/** All that is declared, by the file or in the database. */
export const useMembers = (enabled = true) =>
  useQuery({
    enabled,
    queryKey: ["declarations"],
    queryFn: async ({ signal }) => (await call("get", "/api/admin/declarations", { signal })).members,
    // Other operators and the command line change it as well.
    staleTime: 0,
  });

/** A change that was made, and the way back. */
interface Receipt {
  /** What was done, as a sentence. */
  says: string;
  undo: () => Promise<void>;
}

/** The change that was made last, which the screen offers to undo. */
export const lastChange = signal<Receipt | undefined>(undefined);

/** What depends on what is declared. */
const DEPENDENT = ["declarations", "catalog-changes", "state", "models", "keys"];

const refresh = (queries: QueryClient): Promise<unknown> =>
  Promise.all(DEPENDENT.map((name) => queries.invalidateQueries({ queryKey: [name] })));

/** Something that can be done to what is declared, and what it would do. */
export interface Plan {
  preview: () => Promise<Outcome>;
  /** `says` is what was done, as a sentence. */
  make: (queries: QueryClient, says: string) => Promise<void>;
}

/** What the service found wrong, for a form of the member: see `findingsOf`. */
export function refused(problems: readonly string[], member: string): ApiError {
  const fields = findingsOf(problems, member);
  const texts = fields.map(({ path, text }) => (path.length > 0 ? `${path.join(".")}: ${text}` : text));
  return new ApiError(422, texts, undefined, undefined, undefined, fields);
}

/** A refusal by the service, for a form of the member. */
export const ofForm = (error: unknown, member: string): unknown =>
  error instanceof ApiError ? refused(error.texts, member) : error;

const PREVIEW = { preview: true, confirm: false };
/** An operator who makes a change has seen what it breaks. */
const CONFIRMED = { preview: false, confirm: true };

/** Makes members, changes or removes them. */
export const planOf = (changes: () => readonly Change[]): Plan => ({
  preview: async () =>
    call("post", "/api/admin/declarations", { body: { changes: [...changes()], ...PREVIEW } }),
  async make(queries, says) {
    const body = { changes: [...changes()], ...CONFIRMED };
    const { revisions } = await call("post", "/api/admin/declarations", { body });
    await note(queries, says, revisions);
  },
});

/** Undoes changes by their numbers. */
export const undoOf = (revisions: readonly number[]): Plan => ({
  preview: () =>
    call("post", "/api/admin/declarations/undo", { body: { revisions: [...revisions], ...PREVIEW } }),
  async make(queries, says) {
    const body = { revisions: [...revisions], ...CONFIRMED };
    const made = await call("post", "/api/admin/declarations/undo", { body });
    await note(queries, says, made.revisions);
  },
});

/** Offers the way back, which has a way back itself. */
function note(queries: QueryClient, says: string, revisions: readonly number[]): Promise<unknown> {
  const isUndone = says.startsWith(UNDONE);
  const back = isUndone ? "The change is back." : `${UNDONE}${says}`;
  lastChange.value = { says, undo: () => undoOf(revisions).make(queries, back) };
  return refresh(queries);
}

const UNDONE = "Undone: ";

/** Stops a model that is declared elsewhere, until the next start or reload; or serves it again. */
export async function setModelActive(
  queries: QueryClient,
  modelId: string,
  isActive: boolean,
): Promise<void> {
  await call("patch", "/api/admin/models/{modelId}", { path: { modelId }, body: { isActive } });
  const says = `The model ${modelId} was ${isActive ? "served again" : "stopped"}.`;
  lastChange.value = { says, undo: () => setModelActive(queries, modelId, !isActive) };
  await refresh(queries);
}
