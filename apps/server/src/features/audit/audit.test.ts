import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp } from '../../../test/harness.ts'

// Budgets as they are: one of them is tested here.
const { call, db, people } = await makeTestApp({ RATE_LIMIT_FACTOR: '1' })
const system = db.asOwnerOfJobs
type Owner = Awaited<ReturnType<typeof people.owner>>

const list = (token: string, query: Record<string, string> = {}) =>
  call('GET', `/api/account/audit?${new URLSearchParams(query)}`, { token })
const csv = (token: string, body: object = {}) => call('POST', '/api/account/audit/csv', { token, body })
const actions = (answer: { data: { action: string }[] }) => answer.data.map(({ action }) => action)

/** Entries as if they had been written, one a minute from a day on, alternately about keys and about members. */
async function fill(owner: Owner, many: number, user: string | null = owner.id) {
  await system(
    `insert into audit_log (id, account_id, user_id, action, target, metadata, network, created_at)
     select gen_random_uuid(), $1, $2, case when n % 2 = 0 then 'api_key.created' else 'member.created' end,
       'number ' || n, jsonb_build_object('email', 'someone' || n || '@test.example'), '203.0.113.9',
       timestamptz '2025-03-01T00:00:00Z' + n * interval '1 minute'
     from generate_series(1, $3::int) n`,
    [owner.account_id, user, many],
  )
}
const filled = { until: '2025-06-01T00:00:00Z' }

describe('the audit log', () => {
  test('shows user, action and target, newest first', async () => {
    const owner = await people.owner()
    const email = freshEmail('invited')
    await call('POST', '/api/invite', { token: owner.token, body: { email, permission: 'admin' } })
    const { data, body, status } = await list(owner.token)
    expect(status).toBe(200)
    expect(data[0]).toEqual({
      id: expect.any(String),
      action: 'invite.sent',
      who: 'member',
      name: 'Mara Okafor',
      email: owner.email,
      avatar: null,
      target: expect.any(String),
      details: { email, role: 'admin' },
      network: '127.0.0.x',
      date_created: expect.any(String),
    })
    expect(actions({ data })).toContain('plan.changed')
    expect(body.page).toEqual({ start: 1, total: data.length, previous: null, next: null })
  })

  test('is filtered by area and time, sorted both ways and paged both ways', async () => {
    const owner = await people.owner()
    await fill(owner, 25)
    const keys = await list(owner.token, { what: 'api_key' })
    expect(new Set(actions(keys))).toEqual(new Set(['api_key.created']))
    expect(keys.body.page.total).toBe(12)
    const span = { since: '2025-03-01T00:05:00Z', until: '2025-03-01T00:08:00Z' }
    const three = await list(owner.token, { ...span, sort: 'date_created' })
    expect(three.data.map(({ target }: { target: string }) => target)).toEqual([
      'number 5',
      'number 6',
      'number 7',
    ])
    const targets = (answer: { data: { target: string }[] }) =>
      answer.data.map(one => Number(one.target.slice(7)))
    const first = await list(owner.token, { ...filled, limit: '10' })
    const second = await list(owner.token, { ...filled, limit: '10', cursor: first.body.page.next })
    const third = await list(owner.token, { ...filled, limit: '10', cursor: second.body.page.next })
    expect([first, second, third].flatMap(targets)).toEqual([...Array(25).keys()].map(n => 25 - n))
    expect(third.body.page).toMatchObject({ start: 21, total: 25, next: null })
    const back = await list(owner.token, { ...filled, limit: '10', cursor: third.body.page.previous })
    expect(targets(back)).toEqual(targets(second))
  })

  test('can be searched by the actor, with few and with many matching people', async () => {
    const owner = await people.owner()
    const admin = await people.member(owner, 'admin')
    await fill(owner, 4)
    await fill(owner, 3, admin.id)
    const theirs = await list(owner.token, { ...filled, search: admin.email.slice(0, 20).toUpperCase() })
    expect(theirs.data).toHaveLength(3)
    expect(theirs.data[0]).toMatchObject({ email: admin.email })
    expect((await list(owner.token, { search: 'nobody of that name' })).data).toEqual([])
    // Now half a company has the same first name.
    await system(
      `with made as (
         insert into users (id, email, first_name, last_name, verified_at)
         select gen_random_uuid(), 'half' || n || $2, 'Halvard', 'Number' || n, now() from generate_series(1, 30) n
         returning id
       ) insert into memberships (account_id, user_id, role) select $1, id, 'user' from made`,
      [owner.account_id, freshEmail('crowd')],
    )
    const [one] = (
      await system("select user_id from memberships where account_id = $1 and person_name like 'halvard%'", [
        owner.account_id,
      ])
    ).rows as { user_id: string }[] // as: the column asked for
    await fill(owner, 2, one?.user_id)
    const many = await list(owner.token, { ...filled, search: 'halvard' })
    expect(many.data).toHaveLength(2)
    expect(many.body.page.total).toBe(2)
  })

  test('names former members without other data; a deleted user has a label', async () => {
    const owner = await people.owner()
    const leaver = await people.member(owner, 'admin')
    const gone = crypto.randomUUID()
    await fill(owner, 1, leaver.id)
    await fill(owner, 1, gone)
    await fill(owner, 1, null)
    await call('DELETE', `/api/user/${leaver.id}`, { token: owner.token, body: {} })
    const { data } = await list(owner.token, filled)
    const facts = data.map(({ who, name, email, avatar }: Record<string, unknown>) => [
      who,
      name,
      email,
      avatar,
    ])
    expect(facts).toHaveLength(3)
    expect(facts).toEqual(
      expect.arrayContaining([
        ['former', 'Mara Okafor', null, null],
        ['gone', `Deleted user ${gone.slice(-6).toUpperCase()}`, null, null],
        ['product', null, null, null],
      ]),
    )
  })

  test('gives a deleted user one label everywhere, on screen and in the file, and no name [T-89]', async () => {
    const owner = await people.owner()
    const admin = await people.member(owner, 'admin')
    await fill(owner, 1, admin.id)
    // Their own one, so that this is the only account they are in.
    await system(
      'delete from accounts a using memberships m where m.account_id = a.id and m.user_id = $1 and a.id <> $2',
      [admin.id, owner.account_id],
    )
    await call('PATCH', '/api/user', { token: owner.token, body: { id: admin.id, permission: 'user' } })
    await call('DELETE', `/api/user/${admin.id}`, { token: owner.token, body: {} })
    const label = `Deleted user ${admin.id.slice(-6).toUpperCase()}`
    const about = async (what: string, headers = {}) => {
      const query = `/api/account/audit?what=${what}`
      const { data } = await call('GET', query, { token: owner.token, headers })
      return data as { action: string; name: string; details: Record<string, string> }[] // as: what the list answers
    }
    const members = await about('member')
    expect(members.map(({ action, name, details }) => [action, name, details.email])).toEqual(
      expect.arrayContaining([
        ['member.removed', 'Mara Okafor', label],
        ['member.role_changed', 'Mara Okafor', label],
      ]),
    )
    expect((await list(owner.token, filled)).data[0].name).toBe(label)
    const german = await about('member', { 'accept-language': 'de' })
    expect(german[0]?.details.email).toBe(label.replace('Deleted user', 'Gelöschter Benutzer'))
    const { text } = await csv(owner.token)
    expect(text).toContain(`"${label}","","member.created"`)
    expect(text).toContain(`email: ${label}; role: user`)
    expect(text).not.toContain(admin.email)
  })

  test('shows the previous name of the account and who renamed it', async () => {
    const owner = await people.owner()
    const rename = (account_name: string) =>
      call('PATCH', '/api/user', { token: owner.token, body: { account_name } })
    expect((await rename('North Quay')).status).toBe(200)
    // The form sends the name with every change of the profile.
    await rename('North Quay')
    const { data } = await list(owner.token, { what: 'account' })
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      action: 'account.renamed',
      name: 'Mara Okafor',
      email: owner.email,
      target: owner.account_id,
      details: { before: expect.stringMatching(/.+/), name: 'North Quay' },
    })
    expect((await csv(owner.token, { what: 'account' })).text).toContain(
      `name: North Quay; before: ${data[0].details.before}`,
    )
  })

  test('is for owners and admins, and of their own account [T-35]', async () => {
    const owner = await people.owner()
    await fill(owner, 2)
    const admin = await people.member(owner, 'admin')
    expect((await list(admin.token, filled)).data).toHaveLength(2)
    for (const role of ['developer', 'user'] as const) {
      const { token } = await people.member(owner, role)
      for (const answer of [await list(token), await csv(token)])
        expect([answer.status, answer.body.code]).toEqual([403, 'permission_required'])
    }
    expect((await call('GET', '/api/account/audit')).status).toBe(401)
    expect((await call('POST', '/api/account/audit/csv', { body: {} })).status).toBe(401)
    const other = await people.owner()
    expect((await list(other.token, filled)).data).toEqual([])
    const page = await list(owner.token, { ...filled, limit: '1' })
    expect((await list(other.token, { cursor: page.body.page.next })).data).toEqual([])
    expect((await csv(other.token, filled)).text.trim().split('\r\n')).toHaveLength(1)
  })

  test('refuses an invalid filter', async () => {
    const { token } = await people.owner()
    const forged = Buffer.from(JSON.stringify(['infinity', crypto.randomUUID(), 1, false])).toString(
      'base64url',
    )
    const wrong = [{ what: 'nothing' }, { since: 'yesterday' }, { until: '2025-13-01' }, { sort: 'action' }]
    for (const query of [...wrong, { cursor: 'xyz' }, { cursor: forged }, { limit: '101' }])
      expect((await list(token, query as unknown as Record<string, string>)).body).toMatchObject({
        // as: one of them each
        code: 'invalid_input',
        inputError: Object.keys(query)[0],
      })
    expect((await list(token, { account_id: crypto.randomUUID() })).body.code).toBe('unknown_field')
    expect((await csv(token, { what: 'nothing' })).body).toMatchObject({ inputError: 'what' })
  })
})

describe('the audit log as a file', () => {
  test('is UTF-8 with a byte order mark, has a line for each entry, and is audited', async () => {
    const owner = await people.owner()
    await fill(owner, 2)
    const { headers, text } = await csv(owner.token, filled)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment')
    expect(headers['cache-control']).toBe('no-store')
    expect(text).toBe(
      [
        '\ufeff"time","name","email","action","target","details","network"',
        `"2025-03-01T00:02:00.000Z","Mara Okafor","${owner.email}","api_key.created","number 2","email: someone2@test.example","203.0.113.x"`,
        `"2025-03-01T00:01:00.000Z","Mara Okafor","${owner.email}","member.created","number 1","email: someone1@test.example","203.0.113.x"`,
        '',
      ].join('\r\n'),
    )
    const [newest] = (await list(owner.token)).data
    expect(newest).toMatchObject({ action: 'export.audit_log', email: owner.email })
  })

  test('contains each matching entry once, also over several queries', async () => {
    const owner = await people.owner()
    await fill(owner, 2100)
    const lines = (await csv(owner.token)).text.trim().split('\r\n').slice(1)
    const numbers = lines.map(line => /"number (\d+)"/.exec(line)?.[1]).filter(Boolean)
    expect(numbers).toHaveLength(2100)
    expect(new Set(numbers).size).toBe(2100)
    expect(lines.join()).not.toContain('export.audit_log')
    const keys = (await csv(owner.token, { what: 'api_key', since: '2025-03-01T10:00:00Z', ...filled })).text
    expect(keys.trim().split('\r\n')).toHaveLength(1 + (2100 - 598) / 2)
    expect((await list(owner.token)).body.page.total).toBeNull()
  })

  test('contains no formula, also when names of users look like one [V1.2.10]', async () => {
    const owner = await people.owner()
    await call('PATCH', '/api/user', {
      token: owner.token,
      body: { first_name: '=HYPERLINK("http://evil.example")', last_name: '＝1+1' },
    })
    const targets = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '＋1', 'x;=1+1;y', 'say "hi", then\r\ngo']
    for (const target of targets)
      await system(
        `insert into audit_log (id, account_id, user_id, action, target, created_at)
         values (gen_random_uuid(), $1, $2, 'api_key.created', $3, '2025-03-01T00:00:00Z')`,
        [owner.account_id, owner.id, target],
      )
    const { text } = await csv(owner.token, filled)
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"") ＝1+1"`)
    expect(text).toContain(`"x;'=1+1;y"`)
    for (const target of targets.slice(0, -2)) expect(text).toContain(`"'${target}"`)
    expect(text).toContain('"say ""hi"", then\r\ngo"')
    expect(text).not.toMatch(/(^|,)"[=+\-@\t＝＋]/mu)
  })

  test('one user can export ten times an hour [T-79]', async () => {
    const owner = await people.owner()
    for (let n = 0; n < 10; n++) expect((await csv(owner.token)).status).toBe(200)
    const refused = await csv(owner.token)
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect((await call('POST', '/api/user/export', { token: owner.token })).status).toBe(429)
    expect((await list(owner.token)).status).toBe(200)
  })

  test('a demoted admin can’t read any further page [T-32]', async () => {
    const owner = await people.owner()
    const admin = await people.member(owner, 'admin')
    const body = { id: admin.id, permission: 'user' }
    expect((await call('PATCH', '/api/user', { token: owner.token, body })).status).toBe(200)
    expect((await csv(admin.token)).status).toBe(403)
  })
})
