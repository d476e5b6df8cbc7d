import type { Page } from '@playwright/test'

/** Replaces each text node, now and after each change, as the translation feature of a browser does. */
export async function simulateTranslation(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const skipped = 'script, style, textarea, title, svg, font font'

    function translateText(text: Text): void {
      const parent = text.parentElement
      if (!parent || parent.closest(skipped) || !text.data.trim()) return
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.append(text.data)
      outer.append(inner)
      text.replaceWith(outer)
    }
    function translateIn(node: Node): void {
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
      const texts: Text[] = node instanceof Text ? [node] : []
      while (walker.nextNode()) texts.push(walker.currentNode as Text) // as: SHOW_TEXT yields text nodes only
      for (const text of texts) translateText(text)
    }
    new MutationObserver(changes => {
      for (const { target, addedNodes } of changes) {
        if (target instanceof Text) translateIn(target)
        for (const node of addedNodes) translateIn(node)
      }
    }).observe(document, { childList: true, characterData: true, subtree: true })
  })
}
