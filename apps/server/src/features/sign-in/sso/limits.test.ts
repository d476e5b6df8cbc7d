import { expect, test } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { ssoHelpers } from '../../../../test/sign-in/sso.ts'

const made = await makeTestApp({ RATE_LIMIT_FACTOR: '1' })
const sso = ssoHelpers(made)

test('T-79 a browser over its limit of responses gets the reason on the sign-in screen', async () => {
  const post = () => sso.post({ saml_response: 'AAAA' })
  const answers = await Promise.all(Array.from({ length: 602 }, post))
  const ends = answers.map(({ status, location }) => `${status} ${location.pathname}${location.search}`)
  const refused = ends.filter(end => end === '303 /login?error=too_many_requests')
  expect(refused).toHaveLength(2)
  expect(new Set(ends).size).toBe(2)
})
