import type { ComponentChildren } from "preact";

interface BadgeProps {
  /** Grey says what kind of thing it is; a colour says that it matters. */
  tone?: "good" | "warn" | "bad" | "accent";
  title?: string;
  children: ComponentChildren;
}

/** A word or two that stand out beside a name. */
export const Badge = ({ tone, title, children }: BadgeProps) => (
  <span class={tone ? `badge ${tone}` : "badge"} title={title}>
    {children}
  </span>
);

/** Several of them: tags, protocols, modalities. */
export const Badges = ({ of }: { of: readonly string[] }) =>
  of.length === 0 ? (
    <>–</>
  ) : (
    <span class="badges">
      {of.map((one) => (
        <Badge key={one}>{one}</Badge>
      ))}
    </span>
  );
