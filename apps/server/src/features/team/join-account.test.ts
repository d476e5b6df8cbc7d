import { randomBytes, randomUUID } from 'node:crypto'
import type { PlanId } from '@plinth/contract/plans'
import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { usePlan } from '../../../test/factories/use-plan.ts'
import { freshEmail, makeTestApp } from '../../../test/harness.ts'

const { call, people, services, clock } = await makeTestApp()
const day = 86_400_000

type By = { token: string }
const ownerOn = async (plan: PlanId = 'startup') => usePlan(services, await people.owner(), plan)
const system = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await services.asSystem('test', tx => tx.executeQuery<T>(CompiledQuery.raw(text, values)))).rows
const membersOf = ({ account_id }: { account_id: string }) =>
  system('select user_id, role from memberships where account_id = $1', [account_id])
const alive = async (by: By) => (await call('GET', '/api/auth', { token: by.token })).data.authenticated

/** The secret of a fresh invite, as the invited person finds it in the mail. */
async function invited(by: By, email: string, permission = 'user', more = {}) {
  const { data } = await call('POST', '/api/invite', {
    token: by.token,
    body: { email, permission, ...more },
  })
  return { invite_id: await newestSecret(email), id: data[0].id }
}
async function newestSecret(email: string, than = '0') {
  for (let after = than; ; ) {
    const mail = await people.mailTo(email, after)
    const link = mail.links.find(address => address.includes('/signup/user'))
    if (link) return new URL(link).searchParams.get('id') ?? ''
    after = mail.id
  }
}
const look = (invite_id: string, token?: string) =>
  call('POST', '/api/invite/look', { ...(token ? { token } : {}), body: { invite_id } })
const accept = (by: By, invite_id: unknown, headers = {}) =>
  call('POST', '/api/invite/accept', { token: by.token, body: { invite_id }, headers })
const withdraw = (by: By, id: string) => call('DELETE', `/api/invite/${id}`, { token: by.token })

describe('looking at an invite [call:POST /api/invite/look]', () => {
  test('shows the holder of the token the account and how to join', async () => {
    const owner = await ownerOn()
    const email = freshEmail('ines')
    const { invite_id } = await invited(owner, email, 'developer', {
      first_name: 'Inês',
      last_name: 'Carvalho',
    })
    const { data } = await look(invite_id)
    expect(data).toEqual({
      account_name: 'Mara’s account',
      inviter: 'Mara Okafor',
      permission: 'Developer',
      email,
      first_name: 'Inês',
      last_name: 'Carvalho',
      has_user: false,
      signed_in: 'no',
    })
    expect((await look(invite_id, owner.token)).data.signed_in).toBe('as_other')
    // It is there to be accepted still.
    expect((await look(invite_id)).status).toBe(200)
  })

  test('for an address with a user, that user joins when signed in', async () => {
    const user = await people.verified()
    const { invite_id } = await invited(await ownerOn(), user.email)
    expect((await look(invite_id)).data).toMatchObject({ has_user: true, signed_in: 'no' })
    expect((await look(invite_id, user.token)).data.signed_in).toBe('as_invited')
  })

  test('an unverified user of the address is the invited person: the link proves it [T-36]', async () => {
    const email = freshEmail()
    const user = await people.signUp(email)
    const { invite_id } = await invited(await ownerOn(), email)
    expect((await look(invite_id, user.token)).data).toMatchObject({
      has_user: false,
      signed_in: 'as_invited',
    })
  })

  test.each(['', 'x'.repeat(43), "' or 1=1 --"])('can’t be guessed: %j', async invite_id => {
    const { status } = await look(invite_id)
    expect(status).toBe(422)
  })
})

describe('accepting an invite as an existing user [T-36] [call:POST /api/invite/accept]', () => {
  test('joins with the role of the invite, in a session of that account; nothing of the user changes [T-37]', async () => {
    const owner = await ownerOn()
    const user = await people.verified()
    const [before] = await system('select * from users where id = $1', [user.id])
    const { invite_id } = await invited(owner, user.email, 'developer')
    const { status, data, body } = await accept(user, invite_id)
    expect([status, body.message]).toEqual([200, 'You joined Mara’s account'])
    expect(data).toMatchObject({
      token: expect.stringMatching(/^[\w-]{43}$/),
      account_id: owner.account_id,
      permission: 'developer',
      plan: 'startup',
    })
    expect(data.accounts).toHaveLength(2)
    expect([await alive(user), await alive(data)]).toEqual([false, true])
    expect(await system('select * from users where id = $1', [user.id])).toEqual([before])
    expect((await accept(data, invite_id)).body.code).toBe('invite_expired')
    // Only the user who accepted it learns that it was used.
    expect((await look(invite_id, data.token)).body).toMatchObject({ code: 'invite_used' })
    for (const token of [undefined, owner.token])
      expect((await look(invite_id, token)).body.code).toBe('invite_expired')
    // As long as the link would have worked.
    const runOut = "update mailed_tokens set expires_at = now() where user_id = $1 and purpose = 'invite'"
    await system(runOut, [user.id])
    expect((await look(invite_id, data.token)).body.code).toBe('invite_expired')
  })

  test('a user without a plan or onboarding can join', async () => {
    const user = await people.verified()
    const { invite_id } = await invited(await ownerOn(), user.email)
    expect((await accept(user, invite_id)).status).toBe(200)
  })

  test('the sender gets a mail unless they turned it off', async () => {
    const owner = await ownerOn()
    const accepted = async () => {
      const user = await people.verified()
      const { invite_id } = await invited(owner, user.email)
      const { data } = await accept(user, invite_id)
      return { email: user.email, token: data.token as string } // as: a session's token
    }
    const { id } = await people.mailTo(owner.email)
    const { email } = await accepted()
    const mail = await people.mailTo(owner.email, id)
    expect([mail.subject, mail.text.includes(email)]).toEqual(['Mara Okafor joined Mara’s account', true])
    await call('PATCH', '/api/notification', { token: owner.token, body: { invite_accepted: false } })
    await accepted()
    // A mail that has to come after it would have come after that one, too.
    const other = await people.member(owner, 'user')
    await call('POST', '/api/account/owner', { token: owner.token, body: { user: other.id, stay: true } })
    expect((await people.mailTo(owner.email, mail.id)).subject).toBe('Mara’s account has another owner')
  })

  test('another user can’t, verified or not, and neither can a visitor', async () => {
    const owner = await ownerOn()
    const email = freshEmail()
    const { invite_id } = await invited(owner, email)
    const other = await people.verified()
    const refused = await accept(other, invite_id)
    expect([refused.status, refused.body.code]).toEqual([422, 'invite_other_address'])
    expect((await accept(await people.signUp(), invite_id)).body.code).toBe('invite_other_address')
    expect((await call('POST', '/api/invite/accept', { body: { invite_id } })).status).toBe(401)
    expect(await membersOf(owner)).toHaveLength(1)
  })

  test('is refused when withdrawn, expired, sent again, or when its sender may not send it any more', async () => {
    const owner = await ownerOn()
    const admin = await people.member(owner, 'admin')
    const user = await people.verified()
    const codes = async (change: (invite: { invite_id: string; id: string }) => Promise<unknown>) => {
      const invite = await invited(admin, user.email)
      await change(invite)
      return (await accept(user, invite.invite_id)).body.code
    }
    expect(await codes(({ id }) => withdraw(owner, id))).toBe('invite_expired')
    const late = await invited(admin, user.email)
    clock.add(7 * day)
    expect((await look(late.invite_id)).body.code).toBe('invite_expired')
    clock.add(-7 * day)
    const { id } = await people.mailTo(user.email)
    const again = await call('POST', '/api/invite', { token: admin.token, body: { email: user.email } })
    expect(again.data[0].result).toBe('resent')
    expect((await accept(user, late.invite_id)).body.code).toBe('invite_expired')
    await call('PATCH', '/api/user', { token: owner.token, body: { id: admin.id, permission: 'user' } })
    expect((await accept(user, await newestSecret(user.email, id))).body.code).toBe('invite_expired')
    expect(await membersOf(owner)).toHaveLength(2)
  })

  test('an existing member opens the account, and no seat is counted twice', async () => {
    const owner = await ownerOn('free')
    const user = await people.verified()
    const { invite_id } = await invited(owner, user.email)
    for (const [id, role] of [[user.id, 'user']] as const)
      await system('insert into memberships (account_id, user_id, role) values ($1, $2, $3)', [
        owner.account_id,
        id,
        role,
      ])
    await people.member(owner, 'user')
    const { status, data } = await accept(user, invite_id)
    expect([status, data.account_id]).toEqual([200, owner.account_id])
    expect(await membersOf(owner)).toHaveLength(3)
  })

  test('of fifty parallel calls one joins; a repeat with its Idempotency-Key gets the same reply', async () => {
    const owner = await ownerOn()
    const user = await people.verified()
    const { invite_id } = await invited(owner, user.email)
    const key = { 'idempotency-key': `join-${randomBytes(8).toString('hex')}` }
    const answers = await Promise.all(Array.from({ length: 50 }, () => accept(user, invite_id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(await membersOf(owner)).toHaveLength(2)
    const next = await people.verified()
    const second = await invited(owner, next.email)
    expect((await accept(next, second.invite_id, key)).status).toBe(200)
  })

  test('of a hundred parallel calls for the last seat one succeeds [T-45]', async () => {
    const owner = await ownerOn('free')
    await people.member(owner, 'user')
    const joining = await manyInvited(owner, 100)
    const answers = await Promise.all(joining.map(({ token, secret }) => accept({ token }, secret)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'account_full')).toHaveLength(99)
    expect(await membersOf(owner)).toHaveLength(3)
    // Who came too late has lost neither the invite nor the session.
    const late = joining[answers.findIndex(({ status }) => status !== 200)]
    expect((await look(late?.secret ?? '', late?.token)).data.signed_in).toBe('as_invited')
  })

  /** Users with a session and an invite each, written past the calls: how they come about is tested elsewhere. */
  async function manyInvited(owner: { id: string; account_id: string }, count: number) {
    const made = Array.from({ length: count }, () => ({
      token: randomBytes(32).toString('base64url'),
      secret: randomBytes(32).toString('base64url'),
      email: freshEmail('many'),
    }))
    const given = `unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) g (id, email, token, secret)`
    const values = [
      made.map(() => randomUUID()),
      made.map(({ email }) => email),
      made.map(({ token }) => token),
      made.map(({ secret }) => secret),
    ]
    const write = (text: string, more: unknown[] = []) =>
      // Every query reads all four lists, otherwise their types would be unknown.
      system(
        `${text} from ${given} where g.email is not null and g.token is not null and g.secret is not null`,
        [...values, ...more],
      )
    await write(
      "insert into users (id, email, first_name, last_name, verified_at) select id, email, 'M', 'P', now()",
    )
    // An account with the same id.
    await write("insert into accounts (id, name) select id, 'Own'")
    await write("insert into memberships (account_id, user_id, role) select id, id, 'owner'")
    await write(`insert into sessions (id, token_hash, user_id, account_id, method, created_at, authenticated_at,
        last_used_at, expires_at, sign_in_id)
      select id, sha256(convert_to(token, 'UTF8')), id, id, 'password', now(), now(), now(), now() + interval '1 day', id`)
    await write(
      `insert into invites (id, account_id, email, role, secret_hash, invited_by, sent_at, expires_at)
        select id, $5::uuid, email, 'user', sha256(convert_to(secret, 'UTF8')), $6::uuid, now(), now() + interval '7 days'`,
      [owner.account_id, owner.id],
    )
    return made
  }

  test.each([
    ['invite_id', ''],
    ['invite_id', 'x'.repeat(201)],
    ['invite_id', ['a']],
    ['invite_id', null],
  ])('bad input leads to %s: %j [T-30]', async (field, invite_id) => {
    const { status, body } = await accept(await people.verified(), invite_id)
    expect([status, body.inputError]).toEqual([422, field])
  })
})

describe('withdrawing an invite [call:DELETE /api/invite/{id}]', () => {
  test('frees its seat, voids its link, and is audited', async () => {
    const owner = await ownerOn('free')
    const email = freshEmail()
    const { id, invite_id } = await invited(owner, email)
    await invited(owner, freshEmail())
    const { status, body } = await withdraw(owner, id)
    expect([status, body.message]).toEqual([200, 'Invite deleted'])
    expect((await look(invite_id)).body.code).toBe('invite_expired')
    expect((await call('POST', '/api/invite', { token: owner.token, body: { email } })).status).toBe(200)
    expect(
      await system(
        "select user_id, metadata from audit_log where account_id = $1 and action = 'invite.withdrawn'",
        [owner.account_id],
      ),
    ).toEqual([{ user_id: owner.id, metadata: { email, role: 'user' } }])
    expect((await withdraw(owner, id)).status).toBe(404)
  })

  test('an invite of another account returns not found; an admin can’t withdraw one they may not send [T-34] [T-32]', async () => {
    const [a, b] = [await ownerOn(), await ownerOn()]
    const { id, invite_id } = await invited(a, freshEmail(), 'developer')
    expect((await withdraw(b, id)).status).toBe(404)
    expect((await withdraw(await people.member(a, 'admin'), id)).status).toBe(403)
    for (const role of ['developer', 'user'] as const)
      expect((await withdraw(await people.member(a, role), id)).status).toBe(403)
    expect((await call('DELETE', `/api/invite/${id}`)).status).toBe(401)
    expect((await withdraw(a, '1')).status).toBe(404)
    expect((await look(invite_id)).status).toBe(200)
    // The secret of the link names nothing in the list.
    expect((await withdraw(a, invite_id)).status).toBe(404)
  })
})
