import { essenceOf } from "../ir/media-source.ts";
import type { Ask, Issue, IssueCode, RequestedPart } from "./ask.ts";
import { toIssue } from "./issue.ts";
import { listOf, show, span, within } from "./message-text.ts";
import type { InputRule, Inputs } from "./schema.ts";
import { describeShape, fitsShape } from "./shape.ts";
import type { MediaKind } from "./terms.ts";
import { mediaKinds } from "./terms.ts";

/** One side of a part that a rule may limit. */
interface PartCheck {
  code: IssueCode;
  fits(rule: InputRule, part: RequestedPart): boolean;
  problem(part: RequestedPart): string;
  allowed(rule: InputRule, kind: MediaKind): string;
}

const partChecks: readonly PartCheck[] = [
  {
    code: "unsupported_form",
    fits: ({ forms }, { form }) => !forms || form === undefined || forms.includes(form),
    problem: ({ form }) => `given by ${form}`,
    allowed: ({ forms = [] }, kind) => `${kind} by ${listOf(forms)}`,
  },
  {
    code: "unsupported_role",
    fits: ({ roles }, { role }) => !roles || role === undefined || Object.hasOwn(roles, role),
    problem: ({ role, roleAssumed }) =>
      `has the role ${show(role)}${roleAssumed ? ", as it is where none is set" : ""}`,
    allowed: ({ roles = {} }, kind) => `${kind} with role ${listOf(Object.keys(roles))}`,
  },
  {
    code: "unsupported_media_type",
    fits: ({ mediaTypes }, { mediaType }) =>
      !mediaTypes || mediaType === undefined || mediaTypes.includes(essenceOf(mediaType)),
    problem: ({ mediaType }) => `has the media type ${show(mediaType)}`,
    allowed: ({ mediaTypes = [] }) => listOf(mediaTypes),
  },
  {
    code: "input_too_large",
    fits: ({ maxBytes }, { bytes }) => maxBytes === undefined || bytes === undefined || bytes <= maxBytes,
    problem: ({ bytes }) => `has ${bytes} bytes`,
    allowed: ({ maxBytes }, kind) => `${kind} of at most ${maxBytes} bytes`,
  },
  {
    code: "input_duration",
    fits: ({ seconds }, part) => !seconds || part.seconds === undefined || within(part.seconds, seconds),
    problem: ({ seconds }) => `plays ${seconds} seconds`,
    allowed: ({ seconds = {} }, kind) => `${kind} of ${span(seconds)} seconds`,
  },
  {
    code: "input_shape",
    fits: ({ shape }, { width, height }) =>
      !shape || width === undefined || height === undefined || fitsShape(shape, width, height),
    problem: ({ width, height }) => `has ${width}x${height} pixels`,
    allowed: ({ shape = {} }) => describeShape(shape),
  },
];

const acceptedKinds = (inputs: Inputs): string =>
  listOf(["text", ...mediaKinds.filter((kind) => inputs[kind] && inputs[kind].max !== 0)]);

function checkPart(ask: Ask, inputs: Inputs, part: RequestedPart): Issue[] {
  const rule = inputs[part.kind];
  const base = { path: part.path, name: part.kind };
  if (!rule)
    return [
      toIssue(ask, {
        ...base,
        code: "unsupported_input",
        problem: `${part.kind} is not accepted`,
        allowed: acceptedKinds(inputs),
      }),
    ];
  return partChecks
    .filter((facet) => !facet.fits(rule, part))
    .map((facet) =>
      toIssue(ask, {
        ...base,
        code: facet.code,
        problem: facet.problem(part),
        allowed: facet.allowed(rule, part.kind),
      }),
    );
}

/** A finding at the first part that is one too many. */
function tooMany(ask: Ask, parts: readonly RequestedPart[], max: number | undefined, noun: string): Issue[] {
  const first = max === undefined ? undefined : parts[max];
  if (!first) return [];
  return [
    toIssue(ask, {
      path: first.path,
      code: "too_many_inputs",
      value: parts.length,
      problem: `one too many of ${parts.length} ${noun}`,
      allowed: `at most ${max} ${noun}`,
    }),
  ];
}

function checkKind(ask: Ask, kind: MediaKind, rule: InputRule, parts: readonly RequestedPart[]): Issue[] {
  const issues = tooMany(ask, parts, rule.max, `${kind} parts`);
  for (const [role, { max }] of Object.entries(rule.roles ?? {}))
    issues.push(
      ...tooMany(
        ask,
        parts.filter((part) => part.role === role),
        max,
        `${kind} parts with role ${role}`,
      ),
    );
  if (rule.min !== undefined && parts.length < rule.min)
    issues.push(
      toIssue(ask, {
        path: ask.content ?? "/content",
        code: "too_few_inputs",
        value: parts.length,
        problem: `${parts.length} ${kind} parts`,
        allowed: `at least ${rule.min}`,
      }),
    );
  const { totalSeconds } = rule;
  const played = parts.reduce((sum, { seconds = 0 }) => sum + seconds, 0);
  if (totalSeconds !== undefined && played > totalSeconds)
    issues.push(
      toIssue(ask, {
        path: parts.at(-1)?.path ?? "/content",
        code: "input_duration",
        value: played,
        problem: `all ${kind} together plays ${played} seconds`,
        allowed: `at most ${totalSeconds} seconds of ${kind}`,
      }),
    );
  return issues;
}

/** Compares the media of a request with what is taken. Media is never left out: every finding refuses. */
export function checkInputs(ask: Ask, inputs: Inputs | undefined): Issue[] {
  if (!inputs) return [];
  const parts = ask.parts ?? [];
  return [
    ...parts.flatMap((part) => checkPart(ask, inputs, part)),
    ...mediaKinds.flatMap((kind) =>
      checkKind(
        ask,
        kind,
        inputs[kind] ?? {},
        parts.filter((part) => part.kind === kind),
      ),
    ),
    ...tooMany(ask, parts, inputs.total, "media parts"),
  ];
}
