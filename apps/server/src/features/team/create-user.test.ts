import type { PlanId } from '@plinth/contract/plans'
import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { usePlan } from '../../../test/factories/use-plan.ts'
import { freshEmail, makeTestApp, password } from '../../../test/harness.ts'

const { call, people, services } = await makeTestApp()

type By = { token: string }
const ownerOn = async (plan: PlanId = 'startup') => usePlan(services, await people.owner(), plan)
const system = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await services.asSystem('test', tx => tx.executeQuery<T>(CompiledQuery.raw(text, values)))).rows
const membersOf = ({ account_id }: { account_id: string }) =>
  system('select user_id, role from memberships where account_id = $1', [account_id])
const alive = async (by: By) => (await call('GET', '/api/auth', { token: by.token })).data.authenticated

describe('making a user with bypass_signup [call:POST /api/invite create] [state:create-user.bypass]', () => {
  const given = { password: 'given-password-1', confirm_password: 'given-password-1' }
  const names = { first_name: 'Bram', last_name: 'Koster' }
  const create = (by: By, email: string, more = {}) =>
    call('POST', '/api/invite', {
      token: by.token,
      body: { email, permission: 'user', bypass_signup: true, ...names, ...given, ...more },
    })
  const signIn = (email: string, secret: string) =>
    call('POST', '/api/auth', { body: { email, password: secret } })
  const verify = (by: By, token: string, own = {}) =>
    call('POST', '/api/user/verify', { token: by.token, body: { token, ...own } })

  test('they sign in, verify the address and choose a password, which replaces the chosen one', async () => {
    const owner = await ownerOn()
    const email = freshEmail('bram')
    const { status, data, body } = await create(owner, email)
    expect([status, body.message]).toEqual([200, 'User created'])
    expect(data).toEqual([{ id: null, email, permission: 'user', date_sent: null, result: 'created' }])
    const mail = await people.mailTo(email)
    expect(mail.subject).toBe('Mara Okafor added you to Mara’s account')
    expect(mail.text).not.toContain(given.password)
    const { data: first } = await signIn(email, given.password)
    const { data: another } = await signIn(email, given.password)
    expect(first).toMatchObject({ verified: false, account_id: owner.account_id })
    // Until then the password opens nothing.
    expect((await call('GET', '/api/demo', { token: first.token })).body.code).toBe('verification_required')
    const token = await people.linkToken(email)
    const asked = await verify(first, token)
    expect([asked.status, asked.body.code, asked.body.inputError]).toEqual([
      422,
      'password_given',
      'password',
    ])
    expect((await verify(first, token, given)).body.code).toBe('password_given')
    expect((await verify(first, token, { password: 'short', confirm_password: 'short' })).status).toBe(422)
    const mine = { password: 'my-own-choice-7', confirm_password: 'my-own-choice-7' }
    expect((await verify(first, token, { ...mine, confirm_password: 'x' })).body.inputError).toBe(
      'confirm_password',
    )
    const { data: proven } = await verify(first, token, mine)
    expect(proven).toMatchObject({ verified: true, permission: 'user', plan: 'startup' })
    expect((await signIn(email, given.password)).status).toBe(422)
    expect((await signIn(email, mine.password)).status).toBe(200)
    // Others who know the given password are signed out.
    expect([await alive(another), await alive(proven)]).toEqual([false, true])
  })

  test('the address of a verified user gets the same reply, and that user is unchanged [T-10] [T-37]', async () => {
    const owner = await ownerOn()
    const victim = await people.verified()
    const { id: older } = await people.mailTo(victim.email)
    const before = await system('select * from users where id = $1', [victim.id])
    const newcomer = freshEmail()
    const seen = async (email: string) => {
      const { status, text } = await create(owner, email)
      const row = await call('GET', `/api/account/users?search=${encodeURIComponent(email)}`, {
        token: owner.token,
      })
      const { id: _, date_created: __, ...member } = row.data.users[0]
      return JSON.stringify([status, text, member, row.data.invites]).replaceAll(email, '<address>')
    }
    expect(await seen(victim.email)).toBe(await seen(newcomer))
    expect(await system('select * from users where id = $1', [victim.id])).toEqual(before)
    expect((await signIn(victim.email, password)).data.id).toBe(victim.id)
    // Only the mailbox learns it.
    const mail = await people.mailTo(victim.email, older)
    expect(mail.subject).toBe('You already use Plinth with this address')
    // A stranger typed the name.
    expect(mail.text).toContain('Hello,')
    expect(
      await system('select 1 from memberships where user_id = $1 and account_id = $2', [
        victim.id,
        owner.account_id,
      ]),
    ).toEqual([])
  })

  test('the owner of the address removes it by signing up [T-38]', async () => {
    const owner = await ownerOn()
    const email = freshEmail('squat')
    await create(owner, email)
    const { data: theirs } = await signIn(email, given.password)
    const { id } = await people.mailTo(email)
    const rightful = await people.signUp(email)
    const { data } = await verify(rightful, await people.linkToken(email, id))
    expect(data).toMatchObject({ verified: true, permission: 'owner' })
    expect(await alive(theirs)).toBe(false)
    expect(await membersOf(owner)).toHaveLength(1)
  })

  test('a mailed link verifies the address and removes the password that an admin chose [T-38]', async () => {
    const owner = await ownerOn()
    const email = freshEmail('magic')
    await create(owner, email)
    const { id } = await people.mailTo(email)
    await call('POST', '/api/auth/magic', { body: { email } })
    const token = await people.linkToken(email, id)
    const { data } = await call('POST', '/api/auth/magic/verify', { body: { token } })
    expect(data).toMatchObject({ verified: true, account_id: owner.account_id })
    expect((await signIn(email, given.password)).status).toBe(422)
  })

  test('takes a seat and replaces an invite; a member is not created twice', async () => {
    const owner = await ownerOn('free')
    const email = freshEmail()
    await call('POST', '/api/invite', { token: owner.token, body: { email } })
    expect((await create(owner, email)).status).toBe(200)
    expect((await create(owner, email)).body.code).toBe('already_member')
    expect((await create(owner, freshEmail())).status).toBe(200)
    const full = await create(owner, freshEmail())
    expect([full.status, full.body.plan]).toEqual([402, 'startup'])
    expect(await system('select id from invites where account_id = $1', [owner.account_id])).toEqual([])
  })

  test('of a hundred parallel calls for the last seat one creates a user [T-45]', {
    timeout: 120_000,
  }, async () => {
    const owner = await ownerOn('free')
    await people.member(owner, 'user')
    const answers = await Promise.all(Array.from({ length: 100 }, () => create(owner, freshEmail())))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    // Hashing has its own queue, which refuses calls it can't serve in time.
    expect(statuses.filter(status => status === 402 || status === 503)).toHaveLength(99)
    expect(await membersOf(owner)).toHaveLength(3)
  })

  test.each([
    ['email', { email: 'a@x.example, b@x.example' }],
    ['email', { email: 'nobody' }],
    ['first_name', { first_name: undefined }],
    ['last_name', { last_name: '' }],
    ['password', { password: undefined }],
    ['password', { password: 'longenough1', confirm_password: 'longenough1' }],
    ['confirm_password', { confirm_password: undefined }],
    ['confirm_password', { confirm_password: 'another-password-2' }],
    ['permission', { permission: 'owner' }],
    ['bypass_signup', { bypass_signup: 'yes' }],
    ['verified_at', { verified_at: '2026-01-01' }],
    ['account_id', { account_id: '019a9f3e-6c1d-7c07-9a31-52d8e6f4b7a2' }],
  ])(
    'bad input leads to %s: %j [rule:create-user.confirm] [rule:password.complex-everywhere] [T-30]',
    async (field, wrong) => {
      const owner = await ownerOn()
      const { status, body } = await create(owner, freshEmail(), wrong)
      expect([status, body.inputError]).toEqual([422, field])
      expect(await membersOf(owner)).toHaveLength(1)
    },
  )

  test('an admin creates no developer, and a user or developer creates no one [T-32]', async () => {
    const owner = await ownerOn()
    const admin = await people.member(owner, 'admin')
    expect((await create(admin, freshEmail(), { permission: 'developer' })).status).toBe(403)
    expect((await create(admin, freshEmail())).status).toBe(200)
    for (const role of ['developer', 'user'] as const)
      expect((await create(await people.member(owner, role), freshEmail())).status).toBe(403)
  })
})
