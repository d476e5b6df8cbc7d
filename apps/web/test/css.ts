import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The CSS declarations of a selector in a file of src/, because jsdom has no layout. `within` names an
 * at-rule to search; without it, media and container queries are skipped.
 */
export function declared(file: string, selector: string, within?: string): Record<string, string> {
  const whole = readFileSync(join(import.meta.dirname, '../src', file), 'utf8').replace(
    /\/\*[\s\S]*?\*\//g,
    '',
  )
  const css = within === undefined ? withoutQueries(whole) : insideOf(whole, within)
  const found: Record<string, string> = {}
  for (const [, selectors = '', body = ''] of css.matchAll(/([^{};]+)\{([^{}]*)\}/g)) {
    if (!selectors.split(',').some(one => one.trim() === selector)) continue
    for (const [, name = '', value = ''] of body.matchAll(/([\w-]+):\s*([^;]+);/g)) found[name] = value.trim()
  }
  return found
}

/** The end of the first block that opens at or after `from`. */
function endOf(css: string, from: number): number {
  let depth = 0
  for (let at = css.indexOf('{', from); at < css.length; at++) {
    if (css[at] === '{') depth++
    if (css[at] === '}' && --depth === 0) return at
  }
  return css.length
}

function insideOf(css: string, start: string): string {
  const at = css.indexOf(start)
  if (at < 0) throw new Error(`That style sheet has no ${start}`)
  return css.slice(css.indexOf('{', at) + 1, endOf(css, at))
}

function withoutQueries(css: string): string {
  const at = css.search(/@(media|container)\b/)
  return at < 0 ? css : withoutQueries(css.slice(0, at) + css.slice(endOf(css, at) + 1))
}
