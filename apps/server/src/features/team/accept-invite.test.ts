import { randomBytes } from 'node:crypto'
import type { PlanId } from '@plinth/contract/plans'
import { describe, expect, test } from 'vitest'
import { usePlan } from '../../../test/factories/use-plan.ts'
import { freshEmail, makeTestApp, password } from '../../../test/harness.ts'

const { call, people, clock, services } = await makeTestApp()
const day = 86_400_000

const ownerOn = async (plan: PlanId) => usePlan(services, await people.owner(), plan)

/** The secret of a fresh invite, as the invited person finds it in the mail. */
async function invited(by: { token: string }, permission = 'user', email = freshEmail('ines'), after = '') {
  await call('POST', '/api/invite', { token: by.token, body: { email, permission } })
  return { email, invite_id: await people.inviteSecret(email, after || 0) }
}

const names = { first_name: 'Inês', last_name: 'Carvalho' }
const accept = (body: { email: string; invite_id: unknown } & Record<string, unknown>) =>
  call('POST', '/api/user', { body: { ...names, password, confirm_password: password, ...body } })

const usersWith = (email: string) =>
  services.asSystem('test', tx => tx.selectFrom('users').selectAll().where('email', '=', email).execute())
const membersOf = ({ account_id }: { account_id: string }) =>
  services.asSystem('test', tx =>
    tx.selectFrom('memberships').selectAll().where('account_id', '=', account_id).execute(),
  )

describe('accepting an invite as a new person', () => {
  test('opens the account with the role of the invite [call:POST /api/user] [T-36]', async () => {
    const owner = await ownerOn('startup')
    const link = await invited(owner, 'developer')
    const { status, data } = await accept(link)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      token: expect.stringMatching(/^[\w-]{43}$/),
      account_id: owner.account_id,
      name: 'Inês Carvalho',
      permission: 'developer',
      verified: true,
      onboarded: false,
      plan: 'startup',
      subscription: 'active',
      accounts: [{ id: owner.account_id, name: 'Mara’s account' }],
    })
    const { token } = data as { token: string } // as: matched above
    expect((await call('GET', '/api/auth', { token })).data).toMatchObject({ authenticated: true })
    expect((await call('POST', '/api/auth', { body: { email: link.email, password } })).status).toBe(200)
  })

  test('the invite is gone, and both names are in the audit log', async () => {
    const owner = await ownerOn('startup')
    const link = await invited(owner)
    await accept(link)
    const { left, audit } = await services.asSystem('test', async tx => ({
      left: await tx.selectFrom('invites').select('id').where('account_id', '=', owner.account_id).execute(),
      audit: await tx
        .selectFrom('audit_log')
        .select(['user_id', 'action'])
        .where('account_id', '=', owner.account_id)
        .where('action', 'like', 'invite.%')
        .orderBy('created_at')
        .execute(),
    }))
    const [user] = await usersWith(link.email)
    expect(left).toEqual([])
    expect(audit).toEqual([
      { user_id: owner.id, action: 'invite.sent' },
      { user_id: user?.id, action: 'invite.accepted' },
    ])
  })

  test('the address may be written in another case', async () => {
    const link = await invited(await ownerOn('startup'))
    expect((await accept({ ...link, email: ` ${link.email.toUpperCase()} ` })).status).toBe(200)
  })

  test('an unverified user of the address is deleted with session and account [T-38]', async () => {
    const email = freshEmail('squatter')
    const squatter = await people.signUp(email)
    const { id } = await people.mailTo(email)
    const link = await invited(await ownerOn('startup'), 'user', email, id)
    expect((await accept(link)).status).toBe(200)
    expect(await usersWith(email)).toHaveLength(1)
    expect((await call('GET', '/api/auth', { token: squatter.token })).data).toEqual({ authenticated: false })
    expect(await membersOf(squatter)).toEqual([])
  })

  test('of fifty parallel acceptances one makes a user [T-36]', async () => {
    const owner = await ownerOn('startup')
    const link = await invited(owner)
    const answers = await Promise.all(Array.from({ length: 50 }, () => accept(link)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'invite_expired')).toHaveLength(49)
    expect(await usersWith(link.email)).toHaveLength(1)
    expect(await membersOf(owner)).toHaveLength(2)
  })

  test('of two accounts that invited one address, accepted at once, one makes the user', async () => {
    const email = freshEmail()
    const first = await invited(await ownerOn('startup'), 'user', email)
    const { id } = await people.mailTo(email)
    const second = await invited(await ownerOn('startup'), 'admin', email, id)
    const answers = await Promise.all([accept(first), accept(second)])
    expect(answers.map(({ body }) => body.code ?? 'in').sort()).toEqual(['in', 'invite_sign_in'])
    expect(await usersWith(email)).toHaveLength(1)
  })

  test('more parallel acceptances than seats fill only the seats', async () => {
    const owner = await ownerOn('startup')
    const links = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) links.push(await invited(owner, 'user', freshEmail(name)))
    await usePlan(services, owner, 'free')
    const answers = await Promise.all(links.map(accept))
    const codes = answers.map(({ body }) => body.code ?? 'in').sort()
    expect(codes).toEqual(['account_full', 'account_full', 'account_full', 'in', 'in'])
    expect(await membersOf(owner)).toHaveLength(3)
  })

  test('with the same Idempotency-Key it returns the same session', async () => {
    const link = await invited(await ownerOn('startup'))
    const options = {
      body: { ...names, ...link, password },
      headers: { 'idempotency-key': `accept-${randomBytes(8).toString('hex')}` },
    }
    const first = await call('POST', '/api/user', options)
    const again = await call('POST', '/api/user', options)
    expect(first.status).toBe(200)
    expect(again.data).toEqual(first.data)
  })
})

describe('calls that an invite does not open [T-36]', () => {
  const refused = async (
    answer: Awaited<ReturnType<typeof accept>>,
    status: number,
    code: string,
    email: string,
  ) => {
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect((await usersWith(email)).filter(user => user.first_name === names.first_name)).toEqual([])
  }

  test('using an invite a second time', async () => {
    const link = await invited(await ownerOn('startup'))
    await accept(link)
    const again = await accept(link)
    expect([again.status, again.body.code]).toEqual([422, 'invite_expired'])
    expect(await usersWith(link.email)).toHaveLength(1)
  })

  test('another address gets the same refusal with and without a user', async () => {
    const owner = await ownerOn('startup')
    const { invite_id } = await invited(owner)
    const fresh = freshEmail()
    const [one, two] = [
      await accept({ email: fresh, invite_id }),
      await accept({ email: owner.email, invite_id }),
    ]
    expect(one.body).toEqual(two.body)
    await refused(one, 422, 'invite_other_address', fresh)
    await refused(two, 422, 'invite_other_address', owner.email)
  })

  test('seven days later', async () => {
    const link = await invited(await ownerOn('startup'))
    clock.add(7 * day)
    const late = await accept(link)
    clock.add(-7 * day)
    await refused(late, 422, 'invite_expired', link.email)
  })

  test('the older link after a resend', async () => {
    const owner = await ownerOn('startup')
    const link = await invited(owner)
    const { id } = await people.mailTo(link.email)
    await call('POST', '/api/invite', { token: owner.token, body: { email: link.email } })
    const newer = await people.inviteSecret(link.email, id)
    await refused(await accept(link), 422, 'invite_expired', link.email)
    expect((await accept({ ...link, invite_id: newer })).status).toBe(200)
  })

  test('a withdrawn invite', async () => {
    const owner = await ownerOn('startup')
    const link = await invited(owner)
    await services.asSystem('test', tx =>
      tx.deleteFrom('invites').where('account_id', '=', owner.account_id).execute(),
    )
    await refused(await accept(link), 422, 'invite_expired', link.email)
  })

  test.each(['user', 'developer'] as const)('an invite by an admin whose role is now %s', async role => {
    const owner = await ownerOn('startup')
    const admin = await people.member(owner, 'admin')
    const link = await invited(admin)
    await services.asSystem('test', tx =>
      tx
        .updateTable('memberships')
        .set({ role })
        .where('account_id', '=', owner.account_id)
        .where('user_id', '=', admin.id)
        .execute(),
    )
    await refused(await accept(link), 422, 'invite_expired', link.email)
  })

  test('an invite as developer by an owner whose role is now admin', async () => {
    const owner = await ownerOn('startup')
    const second = await people.member(owner, 'owner')
    const link = await invited(second, 'developer')
    await services.asSystem('test', tx =>
      tx
        .updateTable('memberships')
        .set({ role: 'admin' })
        .where('account_id', '=', owner.account_id)
        .where('user_id', '=', second.id)
        .execute(),
    )
    await refused(await accept(link), 422, 'invite_expired', link.email)
  })

  test('an invite by a member who has left', async () => {
    const owner = await ownerOn('startup')
    const admin = await people.member(owner, 'admin')
    const link = await invited(admin)
    await services.asSystem('test', tx =>
      tx
        .deleteFrom('memberships')
        .where('account_id', '=', owner.account_id)
        .where('user_id', '=', admin.id)
        .execute(),
    )
    await refused(await accept(link), 422, 'invite_expired', link.email)
  })

  test('an account whose last seat was taken', async () => {
    const owner = await ownerOn('startup')
    const link = await invited(owner)
    await people.member(owner, 'user')
    await people.member(owner, 'user')
    await services.asSystem('test', tx =>
      tx.updateTable('accounts').set({ plan: 'free' }).where('id', '=', owner.account_id).execute(),
    )
    await refused(await accept(link), 409, 'account_full', link.email)
    expect(await membersOf(owner)).toHaveLength(3)
  })

  test('guessed secrets and the listed id [T-34]', async () => {
    const owner = await ownerOn('startup')
    const email = freshEmail()
    const { data } = await call('POST', '/api/invite', { token: owner.token, body: { email } })
    const [{ id }] = data as { id: string }[] as [{ id: string }] // as: one address, one invite
    for (const invite_id of [
      id,
      ...Array.from({ length: 200 }, (_, n) => String(n + 1)),
      "' or 1=1 --",
      'x'.repeat(200),
    ]) {
      const { status, body } = await accept({ email, invite_id })
      expect([invite_id, status, body.code]).toEqual([invite_id, 422, 'invite_expired'])
    }
    expect(await usersWith(email)).toEqual([])
  })
})

describe('an address that already has a user', () => {
  test('is sent to sign in, and nothing of that user changes [T-37]', async () => {
    const victim = await people.verified()
    const [before] = await usersWith(victim.email)
    const { id } = await people.mailTo(victim.email)
    const owner = await ownerOn('startup')
    await call('POST', '/api/invite', { token: owner.token, body: { email: victim.email } })
    const link = { email: victim.email, invite_id: await people.inviteSecret(victim.email, id) }
    const { status, body } = await accept({
      ...link,
      password: 'another-password-2',
      confirm_password: 'another-password-2',
    })
    expect([status, body.code]).toEqual([409, 'invite_sign_in'])
    expect(await usersWith(victim.email)).toEqual([before])
    expect(await membersOf(owner)).toHaveLength(1)
    expect((await accept(link)).body.code).toBe('invite_sign_in')
  })

  test('only the holder of the token learns this; other callers get the same reply for every address [T-10]', async () => {
    const victim = await people.verified()
    const invite_id = randomBytes(32).toString('base64url')
    const known = await accept({ email: victim.email, invite_id })
    const unknown = await accept({ email: freshEmail(), invite_id })
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  })
})

describe('bad input', () => {
  test.each([
    ['first_name', { first_name: '' }],
    ['last_name', { last_name: 'a\u202eb' }],
    ['email', { email: 'nobody' }],
    ['password', { password: 'short-1', confirm_password: 'short-1' }],
    ['password', { password: 'longenough1', confirm_password: 'longenough1' }],
    ['confirm_password', { confirm_password: 'another-password-2' }],
    ['invite_id', { invite_id: '' }],
    ['invite_id', { invite_id: 'x'.repeat(201) }],
    ['invite_id', { invite_id: ['a'] }],
    ['permission', { permission: 'owner' }],
    ['account_id', { account_id: '019a9f3e-6c1d-7c07-9a31-52d8e6f4b7a2' }],
    ['verified_at', { verified_at: '2026-01-01' }],
  ])('%s leads to its field [rule:password.complex-everywhere] [T-30]', async (field, wrong) => {
    const { status, body } = await accept({ email: freshEmail(), invite_id: 'x'.repeat(43), ...wrong })
    expect([status, body.inputError]).toEqual([422, field])
  })
})
