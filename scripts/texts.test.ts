import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type Texts = { [key: string]: string | Texts }

const apps = join(import.meta.dirname, '../apps')
const read = (file: string): Texts => JSON.parse(readFileSync(join(apps, file), 'utf8'))

function textAt(texts: Texts, path: string): string | undefined {
  let found: string | Texts | undefined = texts
  for (const step of path.split('.')) found = typeof found === 'object' ? found[step] : undefined
  return typeof found === 'string' ? found : undefined
}

/** What both say of a field: the server under the left key, the screens under the right one. */
const shared = {
  'form.required': 'form.error.required',
  'form.email': 'form.error.email',
  'form.min_length': 'form.error.min_length',
  'form.max_length': 'form.error.max_length',
  'form.password.complexity': 'form.error.password.complexity',
  'form.password.mismatch': 'form.error.password.mismatch',
}

describe.each(['en', 'de'])('the texts in %s', language => {
  const [server, web] = [
    read(`server/src/locales/${language}.json`),
    read(`web/src/locales/${language}/global.json`),
  ]

  test.each(Object.entries(shared))(
    '[rule:form.server-field] a field shows %s in the same words, whether the browser or the server found it',
    (key, path) => {
      expect(server[key]).toBeTypeOf('string')
      expect(server[key]).toBe(textAt(web, path))
    },
  )
})
