import type { Page } from '@playwright/test'
import { expect } from '../test.ts'

/** Phones, tablets, laptops and large screens, and both sides of each width at which the layout changes. */
const widths = [
  320, 360, 390, 480, 600, 720, 721, 768, 820, 900, 960, 1000, 1024, 1025, 1100, 1180, 1240, 1280, 1366, 1440,
  1920, 2560,
]

/** Expects at each width that the page does not scroll sideways and that nothing sticks out of a card or row menu. */
export async function expectNoOverflow(
  page: Page,
  where: string,
  atWidths: readonly number[] = widths,
): Promise<void> {
  const found: string[] = []
  for (const width of atWidths) {
    await page.setViewportSize({ width, height: 900 })
    found.push(...(await overflows(page)).map(line => `${where} at ${width}: ${line}`))
  }
  expect(found).toEqual([])
}

function overflows(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const lines: string[] = []
    const view = document.documentElement.clientWidth
    const extra = document.documentElement.scrollWidth - view
    if (extra > 0) lines.push(`scrolls sideways by ${extra}`)
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.className} “${element.textContent?.slice(0, 30)}”`
    const outside = (element: Element, start: number, end: number) => {
      const box = element.getBoundingClientRect()
      return box.width > 0 && (box.left < start - 0.5 || box.right > end + 0.5)
    }
    for (const menu of document.querySelectorAll('.row-act'))
      if (outside(menu, 0, view)) lines.push(`off the screen: ${nameOf(menu)}`)
    for (const card of document.querySelectorAll('.card')) {
      const { left, right } = card.getBoundingClientRect()
      const clips = (element: Element | null): boolean =>
        element !== null &&
        element !== card &&
        (getComputedStyle(element).overflowX !== 'visible' || clips(element.parentElement))
      for (const part of card.querySelectorAll('*')) {
        if (!outside(part, left, right) || part.closest('.sr') || clips(part.parentElement)) continue
        lines.push(`outside its card: ${nameOf(part)}`)
        break
      }
    }
    return lines
  })
}
