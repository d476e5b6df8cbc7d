import { describe, expect, test } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { ssoHelpers } from '../../../../test/sign-in/sso.ts'

const made = await makeTestApp()
const { call, db } = made
const sso = ssoHelpers(made)
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows

describe('domains [call:POST /api/sso/domains] [call:POST /api/sso/domains/{id}/check] [call:DELETE /api/sso/domains/{id}]', () => {
  test('verified only by a DNS record', async () => {
    const company = await sso.newCompany()
    const named = await sso.api('POST', '/api/sso/domains', company, {
      domain: ` ${company.domain.toUpperCase()}. `,
    })
    const [row] = named.domains
    expect(row).toMatchObject({
      domain: company.domain,
      record_name: `_plinth.${company.domain}`,
      proven_at: null,
    })
    const check = () =>
      call('POST', `/api/sso/domains/${row?.id}/check`, { token: company.owner.token, body: {} })
    const record = (txt: unknown, more = {}) =>
      sso.postToSandbox('/identity/dns', { name: row?.record_name, txt, ...more })
    expect((await check()).body.code).toBe('domain_not_proven')
    for (const txt of ['', 'x', `${row?.record_value}0`, row?.record_value?.slice(0, -1)]) {
      await record(txt)
      expect((await check()).body.code).toBe('domain_not_proven')
    }
    await record([], { fault: 'servfail' })
    expect(await check()).toMatchObject({ status: 503, body: { code: 'domain_unreadable' } })
    await record(['other', ` ${row?.record_value} `])
    expect((await check()).data.domains[0].proven_at).not.toBeNull()
    await record('')
    expect((await check()).data.domains[0].proven_at).not.toBeNull()
    const again = await sso.api('POST', '/api/sso/domains', company, { domain: company.domain })
    expect(again.domains).toHaveLength(1)
  })

  test('T-53: of two accounts that verify a domain in parallel one gets it', async () => {
    const [a, b] = [await sso.newCompany(), await sso.newCompany()]
    const companies = [a, b]
    const ids: (string | undefined)[] = []
    const values: (string | undefined)[] = []
    for (const each of companies) {
      const [row] = (await sso.api('POST', '/api/sso/domains', each, { domain: a.domain })).domains
      ids.push(row?.id)
      values.push(row?.record_value)
    }
    expect(values[0]).not.toBe(values[1])
    await sso.postToSandbox('/identity/dns', { name: `_plinth.${a.domain}`, txt: values })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        call('POST', `/api/sso/domains/${ids[n % 2]}/check`, {
          token: companies[n % 2]?.owner.token,
          body: {},
        }),
      ),
    )
    const codes = answers.map(({ status, body }) => (status === 200 ? 'proven' : body.code))
    expect(new Set(codes)).toEqual(new Set(['proven', 'domain_taken']))
    expect(
      await rows('select 1 from sso_domains where domain = $1 and proven_at is not null', [a.domain]),
    ).toHaveLength(1)
  })

  test.each([
    '',
    'nodots',
    'a b.example',
    '-x.example',
    'x.example/path',
    'https://x.example',
    `${'a'.repeat(64)}.example`,
  ])('no domain: %s', async domain => {
    const { owner } = await sso.newCompany()
    const answer = await call('POST', '/api/sso/domains', { token: owner.token, body: { domain } })
    expect(answer).toMatchObject({ status: 422, body: { inputError: 'domain' } })
  })

  test('twenty are enough', async () => {
    const company = await sso.newCompany()
    for (let n = 0; n < 20; n++)
      await sso.api('POST', '/api/sso/domains', company, { domain: `d${n}.${company.domain}` })
    const answer = await call('POST', '/api/sso/domains', {
      token: company.owner.token,
      body: { domain: 'one.more.example' },
    })
    expect(answer.body.message).toBe('Enter up to 20 domains')
  })

  test('verifying and removing a domain in parallel: each call waits for the other', async () => {
    const company = await sso.newCompany()
    const { token } = company.owner
    for (let round = 0; round < 3; round++) {
      const { domains } = await sso.api('POST', '/api/sso/domains', company, { domain: company.domain })
      const [row] = domains
      await sso.postToSandbox('/identity/dns', { name: row?.record_name, txt: [row?.record_value] })
      const at = `/api/sso/domains/${row?.id}`
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          n % 2 ? call('DELETE', at, { token, body: {} }) : call('POST', `${at}/check`, { token, body: {} }),
        ),
      )
      for (const { status, text } of answers) expect([200, 404], text).toContain(status)
      expect((await sso.api('GET', '/api/sso', company)).domains).toEqual([])
    }
  })

  test('people of a removed domain can’t sign in', async () => {
    const company = await sso.company()
    const email = sso.address(company)
    expect((await sso.signIn(company, { email })).status).toBe(200)
    const id = (await sso.api('GET', '/api/sso', company)).domains[0]?.id
    await sso.proveDomain(company, `second.${company.domain}`)
    await sso.api('DELETE', `/api/sso/domains/${id}`, company, {})
    const by = { domain: `second.${company.domain}` }
    expect((await sso.signIn(by, { email })).body.code).toBe('sso_domain_unproven')
  })
})
