/**
 * Keeps React working on pages that the browser translates. Translation moves or replaces text nodes; React
 * then calls removeChild and insertBefore on the wrong parent, and the page crashes (react issue 11538). See
 * docs/decisions/0054-translated-pages.md.
 */
export function tolerateTranslation(): void {
  const { removeChild, insertBefore } = Node.prototype

  Node.prototype.removeChild = function <T extends Node>(this: Node, node: T): T {
    const child = childHolding(this, node)
    if (child) removeChild.call(this, child)
    return node
  }

  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    insertBefore.call(this, node, before && childHolding(this, before))
    return node
  }
}

/**
 * The child of `parent` that is or contains `node`; null if there is none. Translation wraps texts in
 * elements.
 */
function childHolding(parent: Node, node: Node): Node | null {
  let child: Node | null = node
  while (child && child.parentNode !== parent) child = child.parentNode
  return child
}
