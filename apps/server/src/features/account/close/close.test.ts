import { describe, expect, inject, test } from 'vitest'
import { makeMaster } from '../../../../test/factories/masters.ts'
import { expectMail } from '../../../../test/harness/expect-mail.ts'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'
import { paymentsOf } from '../../../../test/payments.ts'

const app = await makeTestApp()
const { call, people, db, clock } = app
const payments = paymentsOf(`http://127.0.0.1:${inject('sandbox').port}`)

const closeAccount = (token: string, body: object = { password }) =>
  call('DELETE', '/api/account', { token, body })
const closeUser = (token: string, body: object = { password }) => call('DELETE', '/api/user', { token, body })
const isIn = async (token: string) => (await call('GET', '/api/auth', { token })).data.authenticated
const count = async (text: string, values: unknown[]) =>
  ((await db.asOwnerOfJobs(`select count(*) as n from ${text}`, values)).rows[0] as { n: number }).n // as: just asked for
const invite = (token: string, email: string) =>
  call('POST', '/api/invite', { token, body: { email, permission: 'user' } })

async function paying() {
  const user = await people.verified()
  const body = { plan: 'startup_yearly', token: await payments.card() }
  const answer = await call('POST', '/api/account/plan', { token: user.token, body })
  if (answer.status !== 200) throw new Error(answer.text)
  const customers = await payments.list('/v1/customers', {})
  const customer = customers.find(one => JSON.stringify(one.metadata).includes(user.account_id))
  return { ...user, customer: String(customer?.id) }
}

/** Everything the database holds, as text. */
async function everything(): Promise<string> {
  const { rows } = await db.asOwnerOfJobs(
    "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE' and table_name not in ('migrations', 'sql_functions')",
  )
  const texts: string[] = []
  for (const { name } of rows as { name: string }[])
    texts.push(JSON.stringify((await db.asOwnerOfJobs(`select '${name}', t::text from ${name} t`)).rows)) // as: selected above
  return texts.join('\n')
}

describe('[call:DELETE /api/account] [role:close-owner] T-25', () => {
  test('the whole account is closed at once: sessions, invites, members without another account', async () => {
    const owner = await people.owner()
    const member = await people.member(owner, 'user')
    await invite(owner.token, freshEmail('invited'))
    const answer = await closeAccount(owner.token)
    expect(answer).toMatchObject({ status: 200, data: { signout: true } })
    expect(answer.data.session).toBeUndefined()
    expect(await isIn(owner.token)).toBe(false)
    expect(await isIn(member.token)).toBe(false)
    expect(await count('accounts where id = $1', [owner.account_id])).toBe(0)
    expect(await count('invites where account_id = $1', [owner.account_id])).toBe(0)
    expect(await count('users where id = $1', [owner.id])).toBe(0)
    // The member has an account of their own and keeps it.
    expect(await count('users where id = $1', [member.id])).toBe(1)
    expect((await call('POST', '/api/auth', { body: { email: member.email, password } })).status).toBe(200)
    expect((await call('POST', '/api/auth', { body: { email: owner.email, password } })).status).toBe(422)
    expect((await closeAccount(owner.token)).status).toBe(401)
  })

  test('T-88 every member gets a last mail', async () => {
    const owner = await people.owner()
    const member = await people.member(owner, 'admin')
    await closeAccount(owner.token)
    const own = await expectMail(app, owner.email, 'Mara’s account is closed')
    expect(own.text).toContain('keeps your invoices')
    const theirs = await expectMail(app, member.email, 'Mara’s account is closed')
    expect(theirs.text).toContain('Mara Okafor closed Mara’s account')
    expect(theirs.text).toContain('Your other accounts are unchanged')
  })

  test('the subscription is canceled at the provider, the customer removed, and invoices stay', async () => {
    const owner = await paying()
    expect((await payments.ledger(owner.customer)).standing).toHaveLength(1)
    await closeAccount(owner.token)
    await expect
      .poll(
        () => count('account_closures where account_id = $1 and settled_at is not null', [owner.account_id]),
        {
          timeout: 20_000,
        },
      )
      .toBe(1)
    const all = await payments.list('/v1/subscriptions', { customer: owner.customer, status: 'all' })
    expect(all.map(({ status }) => status)).toEqual(['canceled'])
    expect(await payments.api('GET', `/v1/customers/${owner.customer}`)).toMatchObject({ deleted: true })
    const invoices = await payments.list('/v1/invoices', { customer: owner.customer })
    expect(invoices.map(({ status }) => status)).toEqual(['paid'])
  })

  test('an unavailable provider does not delay the closing and is retried', async () => {
    const owner = await paying()
    await payments.fault('/v1/subscriptions', '500', 6)
    expect((await closeAccount(owner.token)).status).toBe(200)
    await expect
      .poll(
        () => count('account_closures where account_id = $1 and settled_at is not null', [owner.account_id]),
        {
          timeout: 40_000,
        },
      )
      .toBe(1)
    expect((await payments.list('/v1/subscriptions', { customer: owner.customer })).length).toBe(0)
  }, 60_000)

  test('[rule:close.password] the password is asked for, however fresh the sign-in; a wrong one closes nothing [text:close.password]', async () => {
    const owner = await people.owner()
    expect(await closeAccount(owner.token, {})).toMatchObject({
      status: 422,
      body: {
        inputError: 'password',
        message: 'Please enter your password to confirm your account deletion.',
      },
    })
    expect(await closeAccount(owner.token, { password: 'not-this-one!' })).toMatchObject({
      status: 422,
      body: { code: 'password_wrong', inputError: 'password' },
    })
    expect(await closeAccount(owner.token, { code: '123456' })).toMatchObject({ status: 422 })
    expect(await isIn(owner.token)).toBe(true)
  })

  test('a user without a password needs a recent sign-in', async () => {
    const owner = await people.owner()
    await db.asOwnerOfJobs('update users set password_hash = null where id = $1', [owner.id])
    clock.add(11 * 60_000)
    expect(await closeAccount(owner.token, {})).toMatchObject({
      status: 403,
      body: { code: 'proof_required' },
    })
    await db.asOwnerOfJobs('update sessions set authenticated_at = $2 where user_id = $1', [
      owner.id,
      clock.now(),
    ])
    expect((await closeAccount(owner.token, {})).status).toBe(200)
  })

  test('only an owner of the account: no other role, no master, no owner of another account', async () => {
    const owner = await people.owner()
    for (const role of ['admin', 'developer', 'user'] as const) {
      const member = await people.member(owner, role)
      expect(await closeAccount(member.token)).toMatchObject({ status: 403 })
    }
    const master = await people.member(owner, 'user')
    await makeMaster(db, master)
    expect(await closeAccount(master.token)).toMatchObject({
      status: 403,
      body: { code: 'permission_required' },
    })
    expect(await isIn(owner.token)).toBe(true)
  })

  test('an owner with another account is switched to it', async () => {
    const first = await people.owner()
    const member = await people.member(first, 'owner')
    const answer = await closeAccount(member.token)
    expect(answer).toMatchObject({ status: 200, data: { signout: false } })
    expect(answer.data.session.account_id).not.toBe(first.account_id)
    expect(await isIn(answer.data.session.token)).toBe(true)
    expect(await isIn(member.token)).toBe(false)
  })

  test('V7.4.2 a loop of calls gets 401 from then on, and of 50 closings at once one closes', async () => {
    const owner = await people.owner()
    const answers = await Promise.all(Array.from({ length: 50 }, () => closeAccount(owner.token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect((await call('GET', '/api/user', { token: owner.token })).status).toBe(401)
  })

  test('a sign-in, read or save at that moment succeeds or is refused', async () => {
    const owner = await people.owner()
    const member = await people.member(owner, 'admin')
    const signIn = { email: owner.email, password }
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => call('POST', '/api/auth', { body: signIn })),
      closeAccount(owner.token),
      ...Array.from({ length: 10 }, () => call('POST', '/api/auth', { body: signIn })),
      ...Array.from({ length: 10 }, (_, n) =>
        call('PATCH', '/api/user', { token: owner.token, body: { account_name: `Name ${n}` } }),
      ),
      ...Array.from({ length: 10 }, () => invite(member.token, freshEmail('late'))),
    ])
    expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([])
    expect(await count('users where id = $1', [owner.id])).toBe(0)
    expect(await count('sessions where user_id = $1', [owner.id])).toBe(0)
  })

  test('an unverified user may close too', async () => {
    const user = await people.signUp()
    expect((await closeAccount(user.token)).data).toEqual({ signout: true })
    expect(await count('users where id = $1', [user.id])).toBe(0)
  })
})

describe('[call:DELETE /api/user] [role:close-other] T-25', () => {
  test('a member leaves; the account continues', async () => {
    const owner = await people.owner()
    const member = await people.member(owner, 'developer')
    const answer = await closeUser(member.token)
    expect(answer).toMatchObject({
      status: 200,
      data: { signout: false },
      body: { message: 'You’ve left Mara’s account. Your other accounts are unchanged.' },
    })
    expect(await isIn(owner.token)).toBe(true)
    expect(await count('memberships where account_id = $1', [owner.account_id])).toBe(1)
    expect(await count("audit_log where user_id = $1 and action = 'member.left'", [member.id])).toBe(1)
    await expectMail(app, member.email, 'You’ve left Mara’s account')
  })

  test('the last owner can’t leave; of two owners who leave at the same time one stays', async () => {
    const owner = await people.owner()
    await people.member(owner, 'admin')
    expect(await closeUser(owner.token)).toMatchObject({ status: 409, body: { code: 'last_owner' } })
    const second = await people.member(owner, 'owner')
    const answers = await Promise.all([closeUser(owner.token), closeUser(second.token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await count("memberships where account_id = $1 and role = 'owner'", [owner.account_id])).toBe(1)
  })

  test('a wrong password, and no session', async () => {
    const owner = await people.owner()
    const member = await people.member(owner, 'user')
    expect(await closeUser(member.token, { password: 'not-this-one!' })).toMatchObject({
      status: 422,
      body: { inputError: 'password' },
    })
    expect(await closeUser(member.token, {})).toMatchObject({ status: 422, body: { inputError: 'password' } })
    expect((await call('DELETE', '/api/user', { body: { password } })).status).toBe(401)
  })
})

describe('T-89 after a user has closed', () => {
  test('no name and no address of the user is left in the database', async () => {
    const email = freshEmail('canary-quill')
    const user = await people.signUp(email, 'Canaryquill')
    const link = await people.linkToken(email)
    const token: string = (
      await call('POST', '/api/user/verify', { token: user.token, body: { token: link } })
    ).data.token
    await call('POST', '/api/account/plan', { token, body: { plan: 'free' } })
    await call('PATCH', '/api/user', {
      token,
      body: { last_name: 'Canaryquillson', account_name: 'Canaryquill AG' },
    })
    // Named in the log of an account that goes on.
    const host = await people.owner()
    const { data } = await invite(host.token, email)
    await call('DELETE', `/api/invite/${data[0].id}`, { token: host.token })
    await call('POST', '/api/event', { token, body: { name: 'closed', metadata: {} } })
    // An address they had before, and one that they only asked for.
    const next = freshEmail('canary-quill-next')
    await call('PATCH', '/api/user', { token, body: { email: next } })
    const mail = await expectMail(app, next, 'Confirm your new email address')
    const secret = new URL(mail.links.find(one => one.includes('token=')) ?? '').searchParams.get('token')
    const moved: string = (await call('POST', '/api/user/verify', { token, body: { token: secret } })).data
      .token
    await call('PATCH', '/api/user', { token: moved, body: { email: freshEmail('canary-quill-typo') } })
    expect(await everything()).toMatch(/canary-?quill/i)
    expect((await closeAccount(moved)).status).toBe(200)
    await expectMail(app, next, 'Canaryquill AG is closed')
    expect(await everything()).not.toMatch(/canary-?quill/i)
    // The entries in the other account's log stay, with the id of a deleted user.
    expect(await count("audit_log where account_id = $1 and action = 'invite.sent'", [host.account_id])).toBe(
      1,
    )
  })

  test('an invite to the address stays with the account that sent it, and still works', async () => {
    const host = await people.owner()
    const user = await people.owner()
    const { id: seen } = await people.mailTo(user.email)
    await invite(host.token, user.email)
    const secret = await people.inviteSecret(user.email, seen)
    expect((await closeAccount(user.token)).status).toBe(200)
    const { data } = await call('GET', '/api/account/users', { token: host.token })
    expect(data.invites).toMatchObject([{ email: user.email, expired: false }])
    const look = await call('POST', '/api/invite/look', { body: { invite_id: secret } })
    expect(look.data).toMatchObject({ has_user: false, signed_in: 'no' })
  })

  test('requesting another person’s address and closing does not erase them from a log', async () => {
    const host = await people.owner()
    const victim = freshEmail('victim')
    await invite(host.token, victim)
    const eve = await people.owner()
    await call('PATCH', '/api/user', { token: eve.token, body: { email: victim } })
    await closeAccount(eve.token)
    const unproven = await people.signUp(victim)
    await closeAccount(unproven.token)
    expect(await count('invites where email = $1', [victim])).toBe(1)
    expect(await count("audit_log where metadata ->> 'email' = $1", [victim])).toBe(1)
  })
})
