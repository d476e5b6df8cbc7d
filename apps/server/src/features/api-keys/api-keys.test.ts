import { describe, expect, test } from 'vitest'
import { apiKeyHelpers } from '../../../test/factories/api-keys.ts'
import { usePlan } from '../../../test/factories/use-plan.ts'
import { makeTestApp, password } from '../../../test/harness.ts'

const harness = await makeTestApp()
const { call, clock, db, people, services } = harness
const { make, byKey, listOf, mailAbout } = apiKeyHelpers(harness)
const system = db.asOwnerOfJobs

const owner = async () => usePlan(services, await people.owner(), 'startup')
const at = ({ id }: { id: string }) => `/api/key/${id}`
const auditOf = async (account: string, action: string) =>
  (
    await system(
      'select user_id, target, metadata from audit_log where account_id = $1 and action = $2 order by id',
      [account, action],
    )
  ).rows

describe('creating a key [call:POST /api/key] [call:GET /api/key] [call:GET /api/key/{id}]', () => {
  test('[entity:api-key] only this reply has the whole key; the database does not store it [T-39] [T-40]', async () => {
    const user = await owner()
    const made = await call('POST', '/api/key', {
      token: user.token,
      body: { name: '  Warehouse sync ', scope: ['usage.create'] },
    })
    expect(made.status).toBe(200)
    const { full_key, ...row } = made.data
    expect(full_key).toMatch(/^plinth_test_[0-9A-Za-z]{38}$/)
    expect(row).toMatchObject({
      name: 'Warehouse sync',
      key: `${full_key.slice(0, 16)}••••••••${full_key.slice(-4)}`,
      scope: ['usage.create'],
      active: true,
      expires_at: null,
      last_used_at: null,
      created_by: 'Mara Okafor',
    })
    const list = await call('GET', '/api/key', { token: user.token })
    expect(list.data).toEqual([row])
    expect(list.body.page).toEqual({ start: 1, total: 1, previous: null, next: null })
    const one = await call('GET', at(row), { token: user.token })
    expect(one.data).toEqual([row])
    expect(list.text + one.text).not.toContain(full_key)
    const { rows } = await system('select * from api_keys where id = $1', [row.id])
    expect(JSON.stringify(rows)).not.toContain(full_key.slice(16, -4))
  })

  test('the maker is mailed and the audit log records it [T-88]', async () => {
    const user = await owner()
    const { id } = await make(user, { name: 'Told of' })
    expect(await auditOf(user.account_id, 'api_key.created')).toEqual([
      {
        user_id: user.id,
        target: id,
        metadata: { name: 'Told of', scope: ['event.create', 'usage.create'] },
      },
    ])
    const mail = await mailAbout(user.email, `A new API key for Mara’s account`)
    expect(mail).toContain('Told of')
  })

  test('needs a proof when the sign-in is older than ten minutes', async () => {
    const user = await owner()
    clock.add(11 * 60_000)
    const body = { name: 'Late', scope: ['usage.create'] }
    const asked = await call('POST', '/api/key', { token: user.token, body })
    expect(asked.body).toMatchObject({ code: 'proof_required', inputError: 'password' })
    const wrong = await call('POST', '/api/key', { token: user.token, body: { ...body, password: 'no' } })
    expect(wrong.body.code).toBe('password_wrong')
    expect((await call('POST', '/api/key', { token: user.token, body: { ...body, password } })).status).toBe(
      200,
    )
  })

  test('[rule:required.key] [text:key.name] [text:key.scope] bad input is refused at its field', async () => {
    const { token } = await owner()
    const good = { name: 'Good', scope: ['usage.create'] }
    const tries: [object, string, string][] = [
      [{ ...good, name: ' ' }, 'name', 'Please provide a descriptive name for your key'],
      [{ scope: good.scope }, 'name', 'Please provide a descriptive name for your key'],
      [{ ...good, name: 'x'.repeat(101) }, 'name', 'Enter at most 100 characters'],
      [{ ...good, name: 'a\u202eb' }, 'name', 'Name contains characters that aren’t allowed'],
      [{ ...good, scope: [] }, 'scope', 'Please select at least one scope'],
      [{ name: 'x' }, 'scope', 'Please select at least one scope'],
      [{ ...good, scope: ['user.delete'] }, 'scope', 'Scope is not valid'],
      [
        { ...good, expires_at: '2020-01-01T00:00:00Z' },
        'expires_at',
        'Choose a time in the future, within five years',
      ],
      [{ ...good, expires_at: 'soon' }, 'expires_at', 'Expiry is not valid'],
      [{ ...good, account_id: 'x' }, 'account_id', 'Unknown field account_id'],
    ]
    for (const [body, inputError, message] of tries)
      expect((await call('POST', '/api/key', { token, body })).body).toMatchObject({ inputError, message })
    expect(await listOf(token)).toEqual([])
  })

  test('T-45 one of 100 concurrent calls takes the last place; 402 names the plan to buy [call:GET /api/key/allowance]', async () => {
    const user = await owner()
    for (let n = 0; n < 9; n++) await make(user, { name: `Key ${n}` })
    const body = { name: 'Last', scope: ['usage.create'] }
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => call('POST', '/api/key', { token: user.token, body })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.find(({ status }) => status !== 200)
    expect(refused?.body).toEqual({
      code: 'limit_reached',
      plan: 'scale',
      message:
        'You’ve reached your plan’s limit of active API keys (10). Revoke one, or choose a plan with more.',
    })
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 402]))
    expect(await listOf(user.token)).toHaveLength(10)
    const room = await call('GET', '/api/key/allowance', { token: user.token })
    expect(room.data).toEqual({ used: 10, limit: 10, plan: 'scale' })
  })

  test('revoked and expired keys free their places', async () => {
    const user = await people.owner()
    const { id } = await make(user, { expires_at: new Date(services.now().getTime() + 60_000).toISOString() })
    const body = { name: 'Next', scope: ['usage.create'] }
    expect((await call('POST', '/api/key', { token: user.token, body })).body).toMatchObject({
      plan: 'startup',
    })
    clock.add(61_000)
    const second = await call('POST', '/api/key', { token: user.token, body })
    expect(second.status).toBe(200)
    await call('PATCH', at(second.data), { token: user.token, body: { active: false } })
    expect((await make(user)).id).not.toBe(id)
    expect((await listOf(user.token)).map(({ active }: { active: boolean }) => active)).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('permissions [role:developer-only] [T-32]', () => {
  test('owners and developers may use keys; admins, users and strangers may not', async () => {
    const host = await owner()
    const key = await make(host)
    const statuses = async (token?: string) => {
      const seen = new Set<number>()
      for (const [method, path, body] of [
        ['GET', '/api/key'],
        ['GET', '/api/key/scopes'],
        ['GET', '/api/key/allowance'],
        ['GET', at(key)],
        ['POST', `${at(key)}/reveal`, {}],
        ['PATCH', at(key), { name: 'Mine' }],
        ['POST', '/api/key', { name: 'Mine', scope: ['usage.create'] }],
        ['DELETE', '/api/key', { id: [key.id] }],
      ] as const)
        seen.add((await call(method, path, { token, body })).status)
      return seen
    }
    expect(await statuses((await people.member(host, 'admin')).token)).toEqual(new Set([403]))
    expect(await statuses((await people.member(host, 'user')).token)).toEqual(new Set([403]))
    expect(await statuses()).toEqual(new Set([401]))
    expect(await listOf(host.token)).toHaveLength(1)
    expect(await statuses((await people.member(host, 'developer')).token)).toEqual(new Set([200]))
  })

  test('T-34 T-35 a key of another account returns not found, also together with an own key', async () => {
    const [host, stranger] = [await owner(), await owner()]
    const [theirs, own] = [await make(host), await make(stranger)]
    const { token } = stranger
    for (const answer of [
      await call('GET', at(theirs), { token }),
      await call('PATCH', at(theirs), { token, body: { active: false } }),
      await call('POST', `${at(theirs)}/reveal`, { token, body: {} }),
      await call('DELETE', '/api/key', { token, body: { id: [theirs.id] } }),
      await call('DELETE', '/api/key', { token, body: { id: [own.id, theirs.id] } }),
      await call('GET', `/api/key/${crypto.randomUUID()}`, { token }),
    ])
      expect(answer.body.code).toBe('not_found')
    expect(await listOf(token)).toHaveLength(1)
    expect((await byKey(theirs)).status).toBe(200)
    expect((await call('GET', '/api/key/1', { token })).body.code).toBe('not_found')
  })

  test('[call:GET /api/key/scopes] scopes are listed in the user’s language', async () => {
    const { token } = await people.owner()
    const ask = (language: string) =>
      call('GET', '/api/key/scopes', { token, headers: { 'accept-language': language } })
    expect((await ask('en')).data).toEqual([
      { value: 'event.create', label: 'Send events' },
      { value: 'usage.create', label: 'Report usage' },
    ])
    expect((await ask('de')).data[0]).toEqual({ value: 'event.create', label: 'Ereignisse senden' })
  })
})

describe('changing, revoking and deleting [call:PATCH /api/key/{id}] [call:PATCH /api/key/{id} revoke] [call:DELETE /api/key]', () => {
  test('renaming and removing scopes need no proof, adding scopes does', async () => {
    const user = await owner()
    const key = await make(user)
    clock.add(11 * 60_000)
    const edit = (body: object) => call('PATCH', at(key), { token: user.token, body })
    const fewer = await edit({ name: 'Renamed', scope: ['event.create'] })
    expect(fewer.data).toMatchObject({ name: 'Renamed', scope: ['event.create'], active: true })
    expect((await edit({ scope: ['event.create', 'usage.create'] })).body.code).toBe('proof_required')
    const more = await edit({ scope: ['usage.create', 'event.create', 'event.create'].slice(0, 2), password })
    expect(more.data.scope).toEqual(['event.create', 'usage.create'])
    expect(await auditOf(user.account_id, 'api_key.renamed')).toEqual([
      { user_id: user.id, target: key.id, metadata: { name: 'Renamed', before: 'Warehouse sync' } },
    ])
    expect(await auditOf(user.account_id, 'api_key.changed')).toHaveLength(2)
    await mailAbout(user.email, 'An API key of Mara’s account has more access')
  })

  test('[state:api-key.revoke] a revoked key stays revoked, authenticates nothing and can’t be shown', async () => {
    const user = await owner()
    const key = await make(user)
    expect((await byKey(key)).status).toBe(200)
    const edit = (body: object) => call('PATCH', at(key), { token: user.token, body })
    const revoked = await edit({ active: false })
    expect(revoked.data).toMatchObject({ active: false })
    expect(revoked.data.revoked_at).not.toBeNull()
    expect((await byKey(key)).body.code).toBe('key_unknown')
    expect((await edit({ active: true })).body).toMatchObject({ code: 'invalid_input', inputError: 'active' })
    expect((await edit({ name: 'Again' })).body.code).toBe('key_revoked')
    // Revoking twice, as by a double click.
    expect((await edit({ active: false })).data).toEqual(revoked.data)
    expect(await auditOf(user.account_id, 'api_key.revoked')).toHaveLength(1)
    const shown = await call('POST', `${at(key)}/reveal`, { token: user.token, body: {} })
    expect(shown.body.code).toBe('key_hidden')
    expect(revoked.data.revealable).toBe(false)
    const { rows } = await system('select sealed_key from api_keys where id = $1', [key.id])
    expect(rows).toEqual([{ sealed_key: null }])
    await mailAbout(user.email, 'An API key of Mara’s account was revoked')
  })

  test('[state:api-key.delete] one or many keys, all or none; their makers are mailed', async () => {
    const host = await owner()
    const developer = await people.member(host, 'developer')
    const [a, b, c] = [
      await make(host, { name: 'A' }),
      await make(developer, { name: 'B' }),
      await make(host, { name: 'C' }),
    ]
    const remove = (id: unknown) => call('DELETE', '/api/key', { token: host.token, body: { id } })
    expect((await remove([])).body.inputError).toBe('id')
    expect((await remove(a.id)).body.inputError).toBe('id')
    expect((await remove([a.id, a.id, b.id])).status).toBe(200)
    expect((await byKey(b)).body.code).toBe('key_unknown')
    const mail = await mailAbout(developer.email, 'API keys of Mara’s account were deleted')
    expect(mail).toContain('“B”')
    expect(mail).toContain('Done by Mara Okafor.')
    expect(mail).not.toContain('“A”')
    // One of them was deleted in another tab: none of the others is deleted.
    expect((await remove([b.id, c.id])).body.code).toBe('not_found')
    expect((await listOf(host.token)).map(({ id }: { id: string }) => id)).toEqual([c.id])
    expect(await auditOf(host.account_id, 'api_key.deleted')).toHaveLength(2)
  })
})

describe('revealing [call:POST /api/key/{id}/reveal]', () => {
  test('an active key is shown with a proof, an audit entry and a mail [T-40] [T-88]', async () => {
    const user = await owner()
    const key = await make(user)
    expect((await listOf(user.token))[0]).toMatchObject({ id: key.id, revealable: true })
    const reveal = (body?: object) => call('POST', `${at(key)}/reveal`, { token: user.token, body })
    clock.add(11 * 60_000)
    expect((await reveal()).body.code).toBe('proof_required')
    expect(await auditOf(user.account_id, 'api_key.revealed')).toEqual([])
    expect((await reveal({ password })).data).toEqual([{ id: key.id, key: key.full_key }])
    expect(await auditOf(user.account_id, 'api_key.revealed')).toHaveLength(1)
    await mailAbout(user.email, 'An API key of Mara’s account was revealed')
  })

  test('V11.3.4 an encrypted key decrypts in its own row only', async () => {
    const user = await owner()
    const [a, b] = [await make(user), await make(user)]
    await system(
      'update api_keys set sealed_key = (select sealed_key from api_keys where id = $1) where id = $2',
      [a.id, b.id],
    )
    const answer = await call('POST', `${at(b)}/reveal`, { token: user.token, body: {} })
    expect(answer.body.code).toBe('key_hidden')
    expect(answer.text).not.toContain(a.full_key)
    expect(await auditOf(user.account_id, 'api_key.revealed')).toEqual([])
  })
})

describe('long lists', () => {
  test('keys are searched, sorted and paged on the server', async () => {
    const user = await owner()
    await make(user, { name: 'Zürich ÄRA' })
    await system(
      `insert into api_keys (id, account_id, created_by, name, masked, scope, key_hash, search_text, created_at, revoked_at)
       select gen_random_uuid(), $1, $2, 'Old ' || n, 'plinth_test_aaaa••••••••' || lpad(n::text, 4, '0'), 'usage.create',
         sha256(convert_to('old ' || n, 'utf8')), 'old ' || lpad(n::text, 4, '0') || ' plinth_test_aaaa••••••••' || lpad(n::text, 4, '0'), now(), now()
       from generate_series(1, 1100) n`,
      [user.account_id, user.id],
    )
    const get = async (query: Record<string, string>) =>
      (await call('GET', `/api/key?${new URLSearchParams(query)}`, { token: user.token })).body
    const names = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name)

    const whole = await get({})
    expect(whole.data).toHaveLength(100)
    expect(whole.page).toMatchObject({ start: 1, total: null, previous: null })
    expect(names(await get({ search: 'zurich ara' }))).toEqual(['Zürich ÄRA'])
    expect(names(await get({ search: '100%' }))).toEqual([])
    const found = await get({ search: 'OLD 110', sort: 'name', limit: '2' })
    expect(names(found)).toEqual(['Old 110', 'Old 1100'])
    expect(found.page).toMatchObject({ start: 1, total: 2, previous: null, next: null })

    const first = await get({ sort: 'name', limit: '3' })
    expect(names(first)).toEqual(['Old 1', 'Old 2', 'Old 3'])
    const second = await get({ sort: 'name', limit: '3', cursor: first.page.next })
    expect(names(second)).toEqual(['Old 4', 'Old 5', 'Old 6'])
    expect(second.page.start).toBe(4)
    expect(names(await get({ sort: 'name', limit: '3', cursor: second.page.previous }))).toEqual(names(first))
    expect(names(await get({ sort: '-name', limit: '1' }))).toEqual(['Zürich ÄRA'])
    const newest = await get({ limit: '2' })
    expect(names(await get({ limit: '2', cursor: newest.page.next }))).toHaveLength(2)
    const wrongs: Record<string, string>[] = [
      { cursor: first.page.next },
      { sort: 'key_hash' },
      { limit: '0' },
      { limit: '101' },
      { cursor: 'x' },
      { page: '2' },
    ]
    for (const wrong of wrongs) expect(['invalid_input', 'unknown_field']).toContain((await get(wrong)).code)
  })
})
