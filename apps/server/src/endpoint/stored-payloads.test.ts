import { expect, test } from 'vitest'
import { freshEmail, makeTestApp } from '../../test/harness.ts'

const { app, people } = await makeTestApp()

const payload = `</script><script>alert(1)</script><img src=x onerror=alert(1)>`

test('stored text is returned as typed, with a content type that browsers don’t render [T-01]', async () => {
  const { token } = await people.owner()
  const ask = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/html', 'user-agent': payload }
    const answer = await app.inject({ method, url, headers, ...(body && { payload: body }) })
    expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBe(200)
    return answer
  }
  await ask('PATCH', '/api/user', { first_name: payload, last_name: payload, account_name: payload })
  await ask('POST', '/api/key', { name: payload, scope: ['event.create'] })
  await ask('POST', '/api/feedback', { rating: 'neutral', comment: payload })
  await ask('POST', '/api/event', { name: 'report_opened', metadata: { [payload.slice(0, 50)]: payload } })
  await ask('POST', '/api/usage', { quantity: 1, identifier: payload })
  await ask('POST', '/api/invite', { email: freshEmail('invited'), first_name: payload })

  const asData = {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  }
  for (const [method, url] of [
    ['GET', '/api/auth'],
    ['GET', '/api/user'],
    ['GET', '/api/key'],
    ['GET', '/api/account/users'],
    ['GET', '/api/account/audit'],
    ['POST', '/api/user/export'],
  ] as const) {
    const answer = await ask(method, url)
    expect(answer.headers, url).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      ...asData,
    })
    expect(strings(answer.json()), url).toContainEqual(expect.stringContaining(payload))
  }
  const file = await ask('POST', '/api/account/audit/csv', {})
  expect(file.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment/),
    ...asData,
  })
  expect(file.body).toContain(payload)
})

/** All strings in a reply, at any depth. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}
