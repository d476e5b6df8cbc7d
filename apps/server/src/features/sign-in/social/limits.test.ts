import { expect, test } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { loginErrorInUrl, openSocialBrowser } from '../../../../test/sign-in/social.ts'

const { app } = await makeTestApp({ RATE_LIMIT_FACTOR: '1' })

test('T-79 a network that starts and ends flows endlessly is limited, on the sign-in screen', async () => {
  const one = openSocialBrowser(app)
  const ends = await Promise.all(
    Array.from({ length: 302 }, (_, place) =>
      one.visit(place % 2 ? '/auth/social/nobody' : '/auth/social/google/callback?state=x'),
    ),
  )
  const refused = ends.filter(end => loginErrorInUrl(end) === 'too_many_requests')
  expect(refused).toHaveLength(2)
  expect(new Set(ends.map(loginErrorInUrl))).toEqual(
    new Set(['provider_unknown', 'social_expired', 'too_many_requests']),
  )
})
