import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { usePlan } from '../../../test/factories/use-plan.ts'
import { freshEmail, makeTestApp } from '../../../test/harness.ts'
import { type Sort, teamRowsQuery } from './list-store.ts'

const { call, people, services } = await makeTestApp()

const list = async (by: { token: string }, query: Record<string, string> = {}) => {
  const answer = await call('GET', `/api/account/users?${new URLSearchParams(query)}`, { token: by.token })
  return { ...answer, page: answer.body.page }
}
const system = (text: string, values: unknown[] = []) =>
  services.asSystem('test', tx => tx.executeQuery(CompiledQuery.raw(text, values)))

/** An account with so many members more, whose names and days come from their numbers. */
async function withMembers(count: number, invites = 0) {
  const owner = await usePlan(services, await people.owner(), 'scale')
  await system(
    `with made as (
       insert into users (id, email, first_name, last_name, verified_at, created_at)
         select gen_random_uuid(), 'm' || n || '-' || $1 || '@test.plinth.example', 'Member',
           lpad((n * 7919 % 100003)::text, 6, '0'), case when n % 3 > 0 then now() end, now()
           from generate_series(1, $2::int) n returning id, last_name)
     insert into memberships (account_id, user_id, role, last_login_at)
       select $1::uuid, id, case when last_name::int % 5 = 0 then 'admin' else 'user' end,
         case when last_name::int % 2 = 0 then now() - last_name::int * interval '1 second' else '-infinity' end from made`,
    [owner.account_id, count],
  )
  await system(
    `insert into invites (id, account_id, email, role, secret_hash, sent_at, expires_at)
       select gen_random_uuid(), $1::uuid, 'i' || n || '-' || $1 || '@test.plinth.example', 'user',
         sha256(convert_to(n || $1::text, 'UTF8')), now(), now() + interval '7 days' from generate_series(1, $2::int) n`,
    [owner.account_id, invites],
  )
  return owner
}

describe('the list of the team [call:GET /api/account/users] [screen:users.table]', () => {
  test('shows members and invites with their fields [state:user.status] [entity:user] [entity:invite]', async () => {
    const owner = await usePlan(services, await people.owner(), 'startup')
    const admin = await people.member(owner, 'admin')
    const invited = freshEmail('ines')
    await call('POST', '/api/invite', { token: owner.token, body: { email: invited, permission: 'admin' } })
    await call('POST', '/api/invite', {
      token: owner.token,
      body: {
        email: freshEmail('bram'),
        first_name: 'Bram',
        last_name: 'Koster',
        bypass_signup: true,
        password: 'given-password-1',
        confirm_password: 'given-password-1',
      },
    })
    const { status, data } = await list(admin)
    expect(status).toBe(200)
    expect(data.users.map((user: { name: string }) => user.name).sort()).toEqual([
      'Bram Koster',
      'Mara Okafor',
      'Mara Okafor',
    ])
    expect(data.users).toEqual(
      expect.arrayContaining([
        {
          id: owner.id,
          you: false,
          name: 'Mara Okafor',
          first_name: 'Mara',
          last_name: 'Okafor',
          email: owner.email,
          avatar: null,
          permission: 'owner',
          verified: true,
          status: 'verified',
          last_login: expect.any(String),
          date_created: expect.any(String),
          editable: false,
        },
        expect.objectContaining({ id: admin.id, you: true, permission: 'admin' }),
        expect.objectContaining({
          name: 'Bram Koster',
          status: 'registered',
          verified: false,
          last_login: null,
          editable: true,
        }),
      ]),
    )
    expect(data.invites).toEqual([
      {
        id: expect.any(String),
        email: invited,
        permission: 'admin',
        date_sent: expect.any(String),
        status: 'invited',
        expired: false,
      },
    ])
    expect(data.order).toHaveLength(4)
    expect(data.seats).toEqual({ used: 3, held: 1, limit: 20 })
  })

  test('impersonations do not count as the user’s last sign-in', async () => {
    const owner = await usePlan(services, await people.owner(), 'startup')
    const before = (await list(owner)).data.users[0].last_login
    await system(
      `insert into sessions (id, token_hash, user_id, account_id, method, created_at, authenticated_at, last_used_at,
         expires_at, sign_in_id, impersonator_id)
       select gen_random_uuid(), '\\x00', user_id, account_id, 'impersonation', now() + interval '1 hour', now(), now(),
         now() + interval '1 hour', gen_random_uuid(), user_id from memberships where account_id = $1`,
      [owner.account_id],
    )
    expect((await list(owner)).data.users[0].last_login).toBe(before)
  })

  test('an expired invite is listed as expired and takes no seat', async () => {
    const owner = await usePlan(services, await people.owner(), 'startup')
    await call('POST', '/api/invite', { token: owner.token, body: { email: freshEmail() } })
    await system('update invites set expires_at = now() where account_id = $1', [owner.account_id])
    const { data } = await list(owner)
    expect(data.invites).toMatchObject([{ expired: true }])
    expect(data.seats).toMatchObject({ used: 1, held: 0 })
  })

  test('seats and only_owner are the same on every page of the list', async () => {
    const owner = await usePlan(services, await people.owner(), 'startup')
    await people.member(owner, 'user')
    await call('POST', '/api/invite', { token: owner.token, body: { email: freshEmail() } })
    const readSeats = async (query: string) => {
      const { data } = await call('GET', `/api/account/users${query}`, { token: owner.token })
      return [data.only_owner, data.seats]
    }
    const parts = ['', '?limit=1', '?search=nobody', '?status=invited']
    const first = await Promise.all(parts.map(readSeats))
    expect(first).toEqual(parts.map(() => [true, { used: 2, held: 1, limit: 20 }]))
    await people.member(owner, 'owner')
    const second = await Promise.all(parts.map(readSeats))
    expect(second).toEqual(parts.map(() => [false, { used: 3, held: 1, limit: 20 }]))
  })

  test('a change of name or address is in the order at once', async () => {
    const owner = await withMembers(1)
    await call('PATCH', '/api/user', { token: owner.token, body: { first_name: 'Ängström' } })
    expect((await list(owner)).data.order[0]).toBe(owner.id)
    await call('PATCH', '/api/user', { token: owner.token, body: { first_name: 'Ženja' } })
    expect((await list(owner)).data.order[1]).toBe(owner.id)
  })

  test.each([
    ['the name, without its accents', 'ines', 1],
    ['as it is written', 'INÊS', 1],
    ['every word', 'carvalho ines', 1],
    ['a word that is not there', 'ines quay', 0],
    ['a part of the address', 'iNvited-one', 1],
    ['signs that mean something to the database', '%', 0],
    ['signs that mean something to the database', '_', 0],
    ['signs that mean something to the database', 'in_s', 0],
    ['signs that mean something to the database', '\\', 0],
    ['signs that mean something to the database', '\\%', 0],
    ['a quote', "o'", 0],
  ])('search: %s, %j [T-76]', async (_what, search, found) => {
    const owner = await usePlan(services, await people.owner(), 'startup')
    await system("update users set first_name = 'Inês', last_name = 'Carvalho', email = $2 where id = $1", [
      owner.id,
      freshEmail('carvalho').replaceAll('_', '-'),
    ])
    await call('POST', '/api/invite', {
      token: owner.token,
      body: { email: `invited-one-${Date.now()}@test.plinth.example` },
    })
    const { data, page } = await list(owner, { search })
    expect([data.order.length, page.total]).toEqual([found, found])
  })

  test('by status', async () => {
    const owner = await withMembers(6, 2)
    const found = async (status: string) => (await list(owner, { status })).page.total
    expect([await found('verified'), await found('registered'), await found('invited')]).toEqual([5, 2, 2])
  })

  test.each(['name', 'email', 'last_login', 'permission', 'status'] as const)(
    'by %s, ascending and descending, each row once, forwards and backwards',
    async sort => {
      const owner = await withMembers(40, 15)
      const whole = (await list(owner, { sort })).data.order
      expect(whole).toHaveLength(56)
      for (const way of [sort, `-${sort}`]) {
        const all = (await list(owner, { sort: way })).data.order
        expect(new Set(all)).toEqual(new Set(whole))
        const forwards: string[][] = []
        let part = await list(owner, { sort: way, limit: '10' })
        const pages = [part.page]
        forwards.push(part.data.order)
        while (part.page.next) {
          part = await list(owner, { sort: way, limit: '10', cursor: part.page.next })
          pages.push(part.page)
          forwards.push(part.data.order)
        }
        expect(forwards.flat()).toEqual(all)
        expect(pages.map(({ start, total }) => [start, total])).toEqual(
          [1, 11, 21, 31, 41, 51].map(start => [start, 56]),
        )
        const backwards = [part.data.order]
        while (part.page.previous) {
          part = await list(owner, { sort: way, limit: '10', cursor: part.page.previous })
          backwards.unshift(part.data.order)
        }
        expect(backwards).toEqual(forwards)
        expect(part.page.start).toBe(1)
      }
    },
  )

  test('sorts roles from the owner down; members without a name or a sign-in come last', async () => {
    const owner = await withMembers(30, 3)
    const rows = async (sort: string) => {
      const { data } = await list(owner, { sort })
      const byId = new Map([...data.users, ...data.invites].map(row => [row.id, row]))
      return data.order.map((id: string) => byId.get(id))
    }
    const roles = (await rows('permission')).map((row: { permission: string }) => row.permission)
    expect(roles[0]).toBe('owner')
    expect(roles.lastIndexOf('admin')).toBeLessThan(roles.indexOf('user'))
    for (const sort of ['name', '-name'])
      expect((await rows(sort)).slice(-3).map((row: { status: string }) => row.status)).toEqual([
        'invited',
        'invited',
        'invited',
      ])
    const logins = (await rows('-last_login')).map((row: { last_login?: string }) => row.last_login ?? '')
    expect(logins).toEqual([...logins].sort().reverse())
  })

  test('a page has at most a hundred rows', async () => {
    const small = await withMembers(99)
    const { data, page } = await list(small)
    expect([data.order.length, page]).toEqual([100, { start: 1, total: 100, previous: null, next: null }])
    const big = await withMembers(100)
    const first = await list(big)
    expect([first.data.order.length, first.page.total, Boolean(first.page.next)]).toEqual([100, 101, true])
    const second = await list(big, { cursor: first.page.next })
    expect([second.data.order.length, second.page.start, second.page.next]).toEqual([1, 101, null])
  })

  test('a new name, address and picture are listed immediately', async () => {
    const owner = await usePlan(services, await people.owner(), 'startup')
    const member = await people.member(owner, 'user')
    const email = freshEmail('renamed')
    const avatar = `/api/avatar/${'a'.repeat(43)}.png`
    await system('update users set first_name = $2, last_name = $3, email = $4, avatar = $5 where id = $1', [
      member.id,
      'Zoë',
      'Ångström',
      email,
      avatar,
    ])
    const { data } = await list(owner)
    expect(data.users).toContainEqual(
      expect.objectContaining({
        id: member.id,
        name: 'Zoë Ångström',
        first_name: 'Zoë',
        last_name: 'Ångström',
        email,
        avatar,
      }),
    )
  })

  test('with ten thousand rows a page reads an index range, and counting stops at a thousand', async () => {
    const owner = await withMembers(10_000, 5)
    const { page, data } = await list(owner, { limit: '50' })
    expect([data.order.length, page.total, page.start]).toEqual([50, null, 1])
    const sorts: Sort[] = ['name', 'email', 'last_login', 'permission', 'status']
    for (const sort of sorts)
      for (const descending of [false, true])
        for (const at of [undefined, (await list(owner, { sort, limit: '50' })).page.next]) {
          const wanted = { account_id: owner.account_id, sort, descending, words: [], status: undefined }
          const [value, id, start, back] = at
            ? JSON.parse(Buffer.from(at, 'base64url').toString())
            : [undefined]
          const place = at ? { value, id, start, back } : undefined
          const { text, values } = teamRowsQuery(wanted, { place, limit: 50 })
          const plan = await services.withinAccount(
            owner.account_id,
            tx => tx.executeQuery<{ 'QUERY PLAN': string }>(CompiledQuery.raw(`explain ${text}`, values)),
            'readOnlyList',
          )
          const lines = plan.rows.map(row => row['QUERY PLAN']).join('\n')
          expect(lines, `${sort} ${descending} ${Boolean(at)}`).toMatch(
            /Index (Only )?Scan.* using memberships_by_/,
          )
          expect(lines).not.toMatch(/Seq Scan on memberships/)
        }
  })

  test.each([
    ['sort', { sort: 'password_hash' }],
    ['sort', { sort: 'name; drop table users' }],
    ['cursor', { cursor: 'nonsense' }],
    ['cursor', { cursor: Buffer.from('["a",1,1,false]').toString('base64url') }],
    ['limit', { limit: '101' }],
    ['limit', { limit: '0' }],
    ['status', { status: 'root' }],
    ['search', { search: 'x'.repeat(101) }],
    ['account_id', { account_id: '019a9f3e-6c1d-7c07-9a31-52d8e6f4b7a2' }],
  ])('bad input: %s %j [T-30]', async (field, query) => {
    const owner = await people.owner()
    const { status, body } = await list(owner, query)
    expect([status, body.inputError]).toEqual([422, field])
  })

  test('a cursor for another sort order is used or refused, and causes no error', async () => {
    const owner = await withMembers(20)
    const { page } = await list(owner, { limit: '5' })
    expect(await list(owner, { sort: 'last_login', cursor: page.next })).toMatchObject({
      status: 422,
      body: { inputError: 'cursor', message: 'Cursor is not valid' },
    })
    expect((await list(owner, { sort: '-email', cursor: page.next })).status).toBe(200)
  })

  test.each(['developer', 'user'] as const)('%s may not see it [role:admin-only] [T-32]', async role => {
    const owner = await usePlan(services, await people.owner(), 'startup')
    const member = await people.member(owner, role)
    const { status, body } = await list(member)
    expect([status, body.code]).toEqual([403, 'permission_required'])
    expect((await call('GET', '/api/account/users')).status).toBe(401)
  })

  test('contains no member of another account for any search [T-34] [T-35]', async () => {
    const [a, b] = [await withMembers(3, 2), await withMembers(3, 2)]
    const { data } = await list(a, { search: 'member' })
    expect(JSON.stringify(data)).not.toContain(b.account_id)
    expect((await list(a)).data.order).toHaveLength(6)
  })
})
