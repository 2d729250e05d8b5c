import type { Ask, Capabilities, ParamRule, RequestedPart } from "@manifold-gateway/core/capability";
import type { Clause, CrossRule, InputRule } from "../../../packages/core/src/capability/schema.ts";
import { misspelt } from "./arbitraries.ts";

const known = [
  "duration",
  "resolution",
  "ratio",
  "generateAudio",
  "seed",
  "watermark",
  "cameraFixed",
  "maxTokens",
];

interface Said {
  name: string;
  path: string;
  value: unknown;
  extra: boolean;
}

/**
 * What the rules for videos come to, written without tables, one sentence of the documentation after the other.
 * Each finding as `effect code path`, sorted.
 */
export function oracle(capabilities: Capabilities, ask: Ask): string[] {
  const out: string[] = [];
  const video = capabilities.video ?? {};
  const rules = new Map<string, ParamRule>(
    Object.entries({ ...(capabilities.params ?? {}), ...(video.params ?? {}) }),
  );
  const cross = [...(capabilities.rules ?? []), ...(video.rules ?? [])];
  const inputs = video.inputs ?? capabilities.inputs;
  const unsupported = new Map(Object.entries(video.unsupported ?? {}));
  const open = !video.supportedParameters && !capabilities.params && !video.params;
  const listed = [...rules.keys(), ...(video.supportedParameters ?? [])];
  for (const rule of cross) if (rule.type === "size") listed.push(rule.field);
  const isTaken = (name: string): boolean => {
    if (unsupported.has(name)) return false;
    return open || listed.includes(name) || listed.includes(name.split(".")[0] as string);
  };
  const shotHasMembers = [...listed, ...unsupported.keys()].some((name) => name.startsWith("shot."));

  const said: Said[] = [];
  for (const { name, path, value, extra } of ask.params) {
    const object = typeof value === "object" && value !== null && !Array.isArray(value);
    if (name === "shot" && shotHasMembers && object) {
      for (const [key, member] of Object.entries(value)) {
        const full = `shot.${key}`;
        const strange = !isTaken("shot") && !isTaken(full);
        said.push({ name: full, path: `${path}/${key}`, value: member, extra: strange || extra === true });
      }
    } else said.push({ name, path, value, extra: extra === true });
  }

  for (const { name, path, value, extra } of said) {
    const effect = unsupported.get(name);
    const rule: ParamRule | undefined = rules.get(name);
    if (effect) {
      out.push(`${effect} unsupported_parameter ${path}`);
    } else if (rule) {
      const verdict = judge(rule, value);
      if (verdict) out.push(`refuse ${verdict} ${path}`);
    } else if (name === "shot" && shotHasMembers && (typeof value !== "object" || Array.isArray(value)))
      out.push(`refuse wrong_type ${path}`);
    else if (extra && !(listed.includes(name) && !open)) hint(name, path);
    else if (!isTaken(name))
      out.push(`${capabilities.strictParams ? "refuse" : "drop"} unsupported_parameter ${path}`);
  }
  function hint(name: string, path: string): void {
    const meant = Object.hasOwn(misspelt, name) ? misspelt[name] : undefined;
    if (meant === undefined || !isTaken(meant)) return;
    if (!known.includes(meant) && !listed.includes(meant)) return;
    out.push(`${capabilities.strictParams ? "refuse" : "note"} unknown_field ${path}`);
  }

  const parts = ask.parts ?? [];
  if (inputs) {
    for (const part of parts) for (const code of partFaults(part)) out.push(`refuse ${code} ${part.path}`);
    for (const kind of ["image", "audio", "video"] as const) {
      const rule: InputRule = inputs[kind] ?? {};
      const mine = parts.filter((part) => part.kind === kind);
      if (rule.max !== undefined && mine.length > rule.max)
        out.push(`refuse too_many_inputs ${mine[rule.max]?.path}`);
      for (const role of Object.keys(rule.roles ?? {})) {
        const most = rule.roles?.[role]?.max;
        const acting = mine.filter((part) => part.role === role);
        if (most !== undefined && acting.length > most)
          out.push(`refuse too_many_inputs ${acting[most]?.path}`);
      }
      if (mine.length < (rule.min ?? 0)) out.push("refuse too_few_inputs /content");
      let played = 0;
      for (const part of mine) played += part.seconds ?? 0;
      if (rule.totalSeconds !== undefined && played > rule.totalSeconds)
        out.push(`refuse input_duration ${mine[mine.length - 1]?.path}`);
    }
    if (inputs.total !== undefined && parts.length > inputs.total)
      out.push(`refuse too_many_inputs ${parts[inputs.total]?.path}`);
  }
  function partFaults(part: RequestedPart): string[] {
    const rule = inputs?.[part.kind];
    if (!rule) return ["unsupported_input"];
    const codes: string[] = [];
    if (rule.forms && part.form && !rule.forms.includes(part.form)) codes.push("unsupported_form");
    if (rule.roles && part.role && !Object.keys(rule.roles).includes(part.role))
      codes.push("unsupported_role");
    if (rule.mediaTypes && part.mediaType && !rule.mediaTypes.includes(part.mediaType))
      codes.push("unsupported_media_type");
    if (rule.maxBytes !== undefined && part.bytes !== undefined && part.bytes > rule.maxBytes)
      codes.push("input_too_large");
    if (rule.seconds && part.seconds !== undefined) {
      const { min, max } = rule.seconds;
      if ((min !== undefined && part.seconds < min) || (max !== undefined && part.seconds > max))
        codes.push("input_duration");
    }
    if (rule.shape && part.width && part.height && !shaped(rule.shape, part.width, part.height))
      codes.push("input_shape");
    return codes;
  }

  const asked = (field: string): Said | undefined =>
    isTaken(field) ? said.find((one) => one.name === field) : undefined;
  const valueNow = (field: string): unknown => {
    const one = asked(field);
    if (one) return one.value;
    return unsupported.has(field) ? undefined : rules.get(field)?.default;
  };
  const matching = (one: Clause): RequestedPart[] => {
    if ("field" in one) return [];
    return parts.filter((part) => {
      if (part.kind !== one.input) return false;
      if (one.roles && !(part.role && one.roles.includes(part.role))) return false;
      return !(one.forms && !(part.form && one.forms.includes(part.form)));
    });
  };
  const isSo = (one: Clause): boolean => {
    if ("field" in one) {
      const value = valueNow(one.field);
      return value !== undefined && (!one.is || one.is.some((word) => word === value));
    }
    const count = matching(one).length;
    return count >= (one.count?.min ?? 1) && count <= (one.count?.max ?? 99);
  };
  for (const rule of cross as CrossRule[]) {
    if (rule.type === "size") {
      const one = asked(rule.field);
      if (!one || rule.words?.some((word) => word === one.value)) continue;
      const [w, h] = typeof one.value === "string" ? one.value.split("x").map(Number) : [];
      if (w && h && shaped(rule.shape, w, h)) continue;
      out.push(`refuse ${typeof one.value === "string" ? "value_not_allowed" : "wrong_type"} ${one.path}`);
    } else if (rule.type === "sum") {
      let sum = 0;
      let path: string | undefined;
      for (const one of rule.of) {
        const value = "field" in one ? valueNow(one.field) : matching(one).length;
        if (Number.isFinite(value)) sum += value as number;
        path ??= "field" in one ? asked(one.field)?.path : matching(one).at(-1)?.path;
      }
      if (sum > rule.max) out.push(`refuse sum_too_large ${path ?? "/content"}`);
    } else {
      if (!isSo(rule.if)) continue;
      const where =
        "field" in rule.if ? asked(rule.if.field)?.path : (matching(rule.if)[0]?.path ?? "/content");
      if (where === undefined) continue;
      if (rule.type === "never") out.push(`refuse value_not_allowed ${where}`);
      if (rule.type === "requires" && !rule.need.some(isSo)) out.push(`refuse missing_companion ${where}`);
      if (rule.type === "excludes" && rule.not.some(isSo)) out.push(`refuse conflict ${where}`);
    }
  }
  return out.sort();
}

/** Why a value is not allowed, or nothing. */
function judge(rule: ParamRule, value: unknown): string | undefined {
  if (rule.type === "bool") return value === true || value === false ? undefined : "wrong_type";
  const wanted = rule.type === "enum" && typeof rule.values[0] === "string" ? "string" : "number";
  if (typeof value !== wanted) return "wrong_type";
  if (rule.type === "enum") return rule.values.some((one) => one === value) ? undefined : "value_not_allowed";
  const number = value as number;
  if (!(number >= rule.min) || !(number <= rule.max)) return "value_not_allowed";
  if (rule.type === "int") return number % 1 === 0 ? undefined : "value_not_allowed";
  return !rule.steps || rule.steps.some((step) => step === number) ? undefined : "value_not_allowed";
}

interface Limits {
  multipleOf?: number | undefined;
  edge?: { min?: number | undefined; max?: number | undefined } | undefined;
  pixels?: { min?: number | undefined; max?: number | undefined } | undefined;
  ratio?: number | undefined;
}

function shaped(limits: Limits, width: number, height: number): boolean {
  for (const edge of [width, height]) {
    if (limits.multipleOf && edge % limits.multipleOf > 0) return false;
    if (edge < (limits.edge?.min ?? 0) || edge > (limits.edge?.max ?? 1e9)) return false;
  }
  const area = width * height;
  if (area < (limits.pixels?.min ?? 0) || area > (limits.pixels?.max ?? 1e12)) return false;
  return limits.ratio === undefined || Math.max(width / height, height / width) <= limits.ratio;
}
