import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const css = readFileSync(join(import.meta.dirname, './tokens.css'), 'utf8')

function block(start: string): Record<string, string> {
  const from = css.indexOf('{', css.indexOf(start))
  const text = css.slice(from, css.indexOf('\n}', from))
  return Object.fromEntries(
    [...text.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value?.trim()]),
  )
}

const light = block('\n:root {')
const themes = { light, dark: { ...light, ...block('\n.dark,') } }

function hex(theme: Record<string, string>, name: string): string {
  let value = theme[`--${name}`]
  while (value?.startsWith('var(')) value = theme[value.slice(4, -1)]
  if (!value || !/^#[0-9a-f]{6}$/i.test(value)) throw new Error(`--${name} is not a six-digit hex: ${value}`)
  return value
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map(at => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function ratio(a: string, b: string): number {
  const [one, two] = [luminance(a), luminance(b)]
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05)
}

const GROUNDS = ['canvas', 'surface', 'surface-sunken', 'surface-hover', 'surface-raised', 'raised-hover']
const MEANINGS = ['info', 'success', 'warning', 'danger']
const across = (texts: string[], grounds: string[]) =>
  texts.flatMap(text => grounds.map(ground => [text, ground]))

const words = [
  ...across(['ink', 'ink-2', 'ink-3'], [...GROUNDS, 'accent-tint']),
  ...across(['accent-text'], ['canvas', 'surface', 'surface-raised', 'accent-tint', 'accent-tint-2']),
  ...across(['ink'], ['accent-tint-2']),
  ...across(['accent-ink'], ['accent', 'accent-hover', 'accent-press']),
  ...MEANINGS.flatMap(one => across([`${one}-text`], [`${one}-tint`, 'surface', 'canvas'])),
  ...MEANINGS.flatMap(one => across(['ink', 'ink-2'], [`${one}-tint`])),
  ...across(['danger-ink'], ['danger', 'danger-hover']),
  ['chart-tip-ink', 'chart-tip'],
  ['chart-axis', 'surface'],
]
const shapes = [
  ...across(['control', 'focus', 'accent', 'accent-line'], ['canvas', 'surface', 'surface-raised']),
  ...across(MEANINGS, ['surface']),
  ...across(['chart-blue', 'chart-red', 'chart-green', 'chart-purple'], ['surface']),
]

describe.each(Object.entries(themes))('contrast in the %s theme', (_, theme) => {
  test.each(words)('%s can be read on %s', (text = '', ground = '') => {
    expect(ratio(hex(theme, text), hex(theme, ground))).toBeGreaterThanOrEqual(4.5)
  })
  test.each(shapes)('%s can be made out on %s', (shape = '', ground = '') => {
    expect(ratio(hex(theme, shape), hex(theme, ground))).toBeGreaterThanOrEqual(3)
  })
})

test('the page colours promised to the browser are the tokens', () => {
  const html = readFileSync(join(import.meta.dirname, '../../index.html'), 'utf8')
  expect(html).toContain(hex(themes.light, 'canvas'))
  expect(html).toContain(hex(themes.dark, 'canvas'))
})
