/**
 * Keeps React working on a page that the browser translates. Translation moves or replaces text nodes, and React then
 * removes them from, or inserts before them in, a parent that is no longer theirs: the browser throws and the screen is
 * lost (react issue 11538). See docs/decisions/0054-translated-pages.md.
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

/** The child of `parent` that is or contains `node`: a translation wraps texts in elements. Null when it is gone. */
function childHolding(parent: Node, node: Node): Node | null {
  let child: Node | null = node
  while (child && child.parentNode !== parent) child = child.parentNode
  return child
}
