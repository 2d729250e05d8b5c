import { type ComponentChild, options, type VNode } from "preact";

/** Characters that turn around what stands after them, so that a text reads otherwise than it is. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;

const shown = (text: string): string =>
  text.replace(OVERRIDES, (letter) => `[U+${letter.charCodeAt(0).toString(16).toUpperCase()}]`);

const shownChild = (child: ComponentChild): ComponentChild =>
  typeof child === "string" ? shown(child) : child;

/** Shows such characters on every screen, in place of obeying them. What is copied or typed keeps them. */
export function showOverrides(): void {
  const before = options.vnode;
  options.vnode = (vnode: VNode) => {
    const { type, props } = vnode as VNode<{ children?: ComponentChild | ComponentChild[] }>;
    if (typeof type === "string" && props.children !== undefined)
      props.children = Array.isArray(props.children)
        ? props.children.map(shownChild)
        : shownChild(props.children);
    before?.(vnode);
  };
}
