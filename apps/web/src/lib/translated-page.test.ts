import { afterEach, beforeEach, expect, test } from 'vitest'
import { tolerateTranslation } from './translated-page.ts'

const { removeChild, insertBefore } = Node.prototype
beforeEach(tolerateTranslation)
afterEach(() => Object.assign(Node.prototype, { removeChild, insertBefore }))

function page() {
  const parent = document.createElement('p')
  const [first, last] = [document.createTextNode('one'), document.createElement('b')]
  parent.append(first, last)
  return { parent, first, last }
}

/** Replaces the text by a font element that contains it, as a translation does. */
function wrap(text: Text): HTMLElement {
  const font = document.createElement('font')
  text.replaceWith(font)
  font.append(text)
  return font
}

test('inserts before the element that a translation put around the text', () => {
  const { parent, first } = page()
  wrap(first)
  parent.insertBefore(document.createElement('i'), first)
  expect(parent.innerHTML).toBe('<i></i><font>one</font><b></b>')
})

test('removes the element that a translation put around the text', () => {
  const { parent, first } = page()
  wrap(first)
  expect(parent.removeChild(first)).toBe(first)
  expect(parent.innerHTML).toBe('<b></b>')
})

test('does not fail when a translation has replaced the text', () => {
  const { parent, first } = page()
  first.replaceWith(document.createElement('font'))
  parent.insertBefore(document.createElement('i'), first)
  parent.removeChild(first)
  expect(parent.innerHTML).toBe('<font></font><b></b><i></i>')
})

test('does not change a page that is not translated', () => {
  const { parent, first, last } = page()
  parent.insertBefore(document.createElement('i'), last)
  parent.insertBefore(document.createElement('u'), null)
  parent.removeChild(first)
  expect(parent.innerHTML).toBe('<i></i><b></b><u></u>')
})
