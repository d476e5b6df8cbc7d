import { describe, expect, test } from 'vitest'
import { SamlProblem } from '../../src/integrations/saml/saml.ts'
import { base64, bothSigned, genuine, post, responseSigned } from './idp.ts'
import { person } from './message.ts'
import { forged, partsOf } from './wrapping.ts'

const makers = { genuine, responseSigned, bothSigned }

/** What came of a message: the person it named, or the code of its refusal. */
async function outcome(xml: string): Promise<string> {
  try {
    const { nameId, attributes } = await post(base64(xml))
    return `${nameId} ${attributes.email}`
  } catch (problem) {
    if (problem instanceof SamlProblem) return problem.code
    throw problem
  }
}

/** Every place between two tags. */
const places = (xml: string) => [...xml.matchAll(/<|$/g)].map(({ index }) => index)

describe('T-50 no inserted element changes the identity', () => {
  test.each(Object.entries(makers))('copies and forgeries at every place: %s', async (_, make) => {
    const control = make()
    const { assertion, signature, bareAssertion } = partsOf(control)
    const loads = [
      forged(),
      assertion,
      bareAssertion,
      signature,
      forged().replace('</saml:Issuer>', `$&${signature}`),
    ]
    for (const load of loads) {
      for (const place of places(control)) {
        const result = await outcome(control.slice(0, place) + load + control.slice(place))
        expect(result, `at ${place}: ${load.slice(0, 60)}`).not.toContain('@')
      }
    }
  })

  test.each(Object.entries(makers))(
    'the assertion or its signature moved to every place: %s',
    async (_, make) => {
      const control = make()
      const { assertion, signature } = partsOf(control)
      for (const part of [assertion, signature]) {
        const without = control.replace(part, '')
        for (const place of places(without)) {
          const moved = without.slice(0, place) + part + without.slice(place)
          if (moved === control) continue
          // Outside the signed part the position of the assertion does not matter.
          const result = await outcome(moved)
          if (result.includes('@')) expect(result).toBe(`${person} ${person}`)
        }
      }
    },
  )

  test.each(Object.entries(makers))('one character changed, 400 times: %s', async (_, make) => {
    const control = make()
    const next = sequence(42)
    const letters = `<>/"'&=#!-_:;azAZ09 \n\t\u00e9`
    for (let round = 0; round < 400; round += 1) {
      const place = next(control.length)
      const letter = letters[next(letters.length)]
      const keep = next(3)
      const result = await outcome(control.slice(0, place) + letter + control.slice(place + keep))
      if (result.includes('@')) expect(result, `${letter} at ${place}`).toBe(`${person} ${person}`)
    }
  })
})

/** The same numbers every time, so that a failure can be seen again. */
function sequence(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state % below
  }
}
