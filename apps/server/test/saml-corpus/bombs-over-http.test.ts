import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeTestApp } from '../harness.ts'
import { openSsoBrowser, ssoHelpers } from '../sign-in/sso.ts'
import { base64 } from './idp.ts'

const lines: string[] = []
const made = await makeTestApp({ LOG_LEVEL: 'warn' }, { write: line => void lines.push(line) })
const { app, config } = made
const sso = ssoHelpers(made)

const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY lol${n + 1} "${`&lol${n};`.repeat(10)}">`)
const bombs = {
  doctype: base64(`<!DOCTYPE x [<!ENTITY lol0 "lol">${laughs.join('')}]><x>&lol9;</x>`),
  bad_encoding: deflateRawSync(Buffer.alloc(100 * 1024 * 1024)).toString('base64'),
  // As many as the form may hold, which writes each `+` of base64 as three signs.
  too_deep: base64('<a>'.repeat(60_000)),
  too_large: base64(`<a>${'x'.repeat(280_000)}`),
}

test('T-54 the callback refuses each XML bomb with its reason, without using more memory', async () => {
  const company = await sso.company()
  const email = sso.address(company)
  const browser = openSsoBrowser(made)
  const { location } = await sso.start(browser, company)
  const genuine = await sso.answer(location, { email })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const post = (SAMLResponse: string) =>
    fetch(`${address}/auth/saml/acs`, {
      method: 'POST',
      redirect: 'manual',
      headers: { host: 'localhost:5000' },
      body: new URLSearchParams({ SAMLResponse, RelayState: genuine.relay_state }),
    })

  const before = process.memoryUsage().rss
  for (const [code, bomb] of Object.entries(bombs)) {
    for (let n = 0; n < 5; n++) {
      const answer = await post(bomb)
      expect([answer.status, answer.headers.get('location')], code).toEqual([
        303,
        `${config.publicUrl}/login/saml/callback?saml_callback=1`,
      ])
    }
    expect(lines.filter(line => line.includes(`"code":"${code}"`))).toHaveLength(5)
  }
  // 100,000 levels are more than the call reads at all.
  expect((await post(base64('<a>'.repeat(100_000)))).status).toBe(413)
  // One of the packed ones would be as much.
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)

  // None of them has used the request up.
  const { token } = await sso.post(genuine)
  expect((await sso.finish(browser, token)).status).toBe(200)
})
