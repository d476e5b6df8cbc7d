import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'
import { decompress } from 'wawoff2'

export type Weight = 400 | 600

const { resolve } = createRequire(import.meta.url)

/** Font packages consist of files with a few hundred characters each. */
function openPackage(name: string) {
  // as: the package's table, "U+0000-00FF,U+0131" by subset
  const table = JSON.parse(readFileSync(resolve(`${name}/unicode.json`), 'utf8')) as Record<string, string>
  const subsets = Object.entries(table).map(([subset, list]) => ({
    subset: subset.replaceAll(/[[\]]/g, ''),
    ranges: list.split(',').map(range => {
      const [from = '', to = from] = range.slice(2).split('-')
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const
    }),
  }))
  return (code: number) =>
    subsets.find(({ ranges }) => ranges.some(([from, to]) => from <= code && code <= to))?.subset
}

const embedded = ['inter', 'noto-sans-arabic'].map(name => ({
  name,
  subsetOf: openPackage(`@fontsource/${name}`),
}))
const japanese = '@fontsource-variable/noto-sans-jp'
const japaneseSubset = openPackage(japanese)

/** Shown for characters beyond Latin, Greek, Cyrillic, Vietnamese, Arabic and Japanese. */
export const replacement = '?'

/**
 * The font file with a character: embedded, or drawn as outlines when it cannot be embedded.
 * @returns null when no font has the character
 */
export function fontOf(code: number, weight: Weight): { file: string; outline: boolean } | null {
  for (const { name, subsetOf } of embedded) {
    const subset = subsetOf(code)
    if (subset)
      return {
        file: resolve(`@fontsource/${name}/files/${name}-${subset}-${weight}-normal.woff`),
        outline: false,
      }
  }
  const subset = japaneseSubset(code)
  return subset
    ? { file: resolve(`${japanese}/files/noto-sans-jp-${subset}-wght-normal.woff2`), outline: true }
    : null
}

const opened = new Map<string, Promise<Font>>()

/** A font that is drawn as outlines. */
export function openOutlines(file: string, weight: Weight): Promise<Font> {
  const key = `${weight} ${file}`
  const font =
    opened.get(key) ??
    decompress(readFileSync(file)).then(bytes => create(Buffer.from(bytes)).getVariation({ wght: weight }))
  opened.set(key, font)
  return font
}
