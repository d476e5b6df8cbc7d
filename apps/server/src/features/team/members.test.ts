import { describe, expect, test } from 'vitest'
import { type By, teamHelpers } from '../../../test/factories/team.ts'
import { freshEmail, makeTestApp, password } from '../../../test/harness.ts'

const harness = await makeTestApp()
const { call, people } = harness

const { ownerOn, edit, remove, transfer, system, rolesIn, logged, created } = teamHelpers(harness)
const alive = async (by: By) => (await call('GET', '/api/auth', { token: by.token })).data.authenticated
const userRow = async (id: string) => (await system('select * from users where id = $1', [id]))[0]

describe('editing a member [call:PATCH /api/user by id]', () => {
  test('a role changes immediately, is audited and mailed to the member [T-88]', async () => {
    const owner = await ownerOn()
    const member = await people.member(owner, 'admin')
    const { id } = await people.mailTo(member.email)
    const { status, data, body } = await edit(owner, member.id, { permission: 'developer' })
    expect([status, data.permission, body.message]).toEqual([200, 'developer', 'User saved'])
    expect((await rolesIn(owner))[member.id]).toBe('developer')
    // The very next call of the session that was there before.
    expect((await call('GET', '/api/account/users', { token: member.token })).status).toBe(403)
    expect(await logged(owner.account_id, 'member.role_changed')).toEqual([
      {
        user_id: owner.id,
        target: member.id,
        metadata: { email: member.email, from: 'admin', to: 'developer' },
      },
    ])
    const mail = await people.mailTo(member.email, id)
    expect(mail.subject).toBe('Your permission in Mara’s account has changed')
    expect(mail.text).toContain('Developer')
  })

  test('the reply contains no private data of the member [T-31]', async () => {
    const owner = await ownerOn()
    const member = await people.member(owner, 'user')
    const { data } = await edit(owner, member.id, { permission: 'admin' })
    expect(Object.keys(data).sort()).toEqual(
      [
        ...['avatar', 'date_created', 'editable', 'email', 'first_name', 'id', 'last_login', 'last_name'],
        ...['name', 'permission', 'status', 'verified', 'you'],
      ].sort(),
    )
  })

  test('setting the current role changes and mails nothing', async () => {
    const owner = await ownerOn()
    const member = await people.member(owner, 'user')
    expect((await edit(owner, member.id, { permission: 'user' })).status).toBe(200)
    expect(await logged(owner.account_id, 'member.role_changed')).toEqual([])
  })

  test.each([{ first_name: 'Eve' }, { last_name: 'Eve' }, { email: 'eve@test.plinth.example' }])(
    'only a verified user can change their own %j [T-31]',
    async change => {
      const owner = await ownerOn()
      const member = await people.member(owner, 'user')
      const before = await userRow(member.id)
      const { status, body } = await edit(owner, member.id, change)
      expect([status, body.code, body.inputError]).toEqual([409, 'member_fixed', Object.keys(change)[0]])
      expect(await userRow(member.id)).toEqual(before)
    },
  )

  test('when the name can’t be changed the role is not changed either [T-31]', async () => {
    const owner = await ownerOn()
    const member = await people.member(owner, 'user')
    expect((await edit(owner, member.id, { permission: 'admin', first_name: 'Eve' })).status).toBe(409)
    expect((await rolesIn(owner))[member.id]).toBe('user')
    expect(await logged(owner.account_id, 'member.role_changed')).toEqual([])
  })

  test('name and address of an unverified user change; the new address gets the link', async () => {
    const owner = await ownerOn()
    const { id, email } = await created(owner)
    const old = await people.linkToken(email)
    const moved = freshEmail('moved')
    const { status, data } = await edit(owner, id, { first_name: 'Bran', email: moved })
    expect([status, data]).toMatchObject([200, { name: 'Bran Koster', email: moved, status: 'registered' }])
    const { data: session } = await call('POST', '/api/auth', {
      body: { email: moved, password: 'given-password-1' },
    })
    const verify = (token: string) =>
      call('POST', '/api/user/verify', {
        token: session.token,
        body: { token, password: 'my-own-choice-7', confirm_password: 'my-own-choice-7' },
      })
    expect((await verify(old)).body.code).toBe('link_expired')
    expect((await verify(await people.linkToken(moved))).data).toMatchObject({ verified: true })
  })

  test('the address of a verified user gets the same reply as an unknown one [T-10] [T-37]', async () => {
    const owner = await ownerOn()
    const victim = await people.verified()
    const { id: older } = await people.mailTo(victim.email)
    const before = await userRow(victim.id)
    const seen = async (email: string) => {
      const { id, email: first } = await created(owner)
      const { status, text } = await edit(owner, id, { email })
      return JSON.stringify([
        status,
        text.replaceAll(id, '<id>').replaceAll(email, '<address>').replace(first, ''),
      ]).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    }
    expect(await seen(victim.email)).toBe(await seen(freshEmail()))
    expect(await userRow(victim.id)).toEqual(before)
    expect((await people.mailTo(victim.email, older)).subject).toBe(
      'You already use Plinth with this address',
    )
  })

  test.each(['admin', 'developer', 'user'])(
    'an owner’s permission can’t be changed to %s, also by an owner [rule:permission.owner-hidden] [T-32]',
    async permission => {
      const owner = await ownerOn()
      const other = await people.member(owner, 'owner')
      const { status, body } = await edit(owner, other.id, { permission })
      expect([status, body.code, body.inputError]).toEqual([409, 'member_fixed', 'permission'])
      expect((await rolesIn(owner))[other.id]).toBe('owner')
    },
  )

  test.each(['owner', 'master', 'root', '', null])(
    'an edit gives no member the role %j [rule:permission.no-owner] [T-30]',
    async permission => {
      const owner = await ownerOn()
      const member = await people.member(owner, 'user')
      const { status, body } = await edit(owner, member.id, { permission })
      expect([status, body.inputError]).toEqual([422, 'permission'])
    },
  )

  test('members can’t promote themselves, with their id or without [T-30]', async () => {
    const owner = await ownerOn()
    const admin = await people.member(owner, 'admin')
    expect((await edit(admin, admin.id, { permission: 'developer' })).body.code).toBe('member_fixed')
    const plain = await call('PATCH', '/api/user', { token: admin.token, body: { permission: 'developer' } })
    expect([plain.status, plain.body.inputError]).toEqual([422, 'permission'])
    expect((await edit(admin, admin.id, { first_name: 'Ann' })).data.first_name).toBe('Ann')
    expect((await rolesIn(owner))[admin.id]).toBe('admin')
  })

  test('own fields can’t be sent for another member [T-30]', async () => {
    const owner = await ownerOn()
    const member = await people.member(owner, 'user')
    const before = await userRow(member.id)
    for (const change of [
      { dark_mode: true },
      { support_enabled: true },
      { default_account: owner.account_id },
      { onboarded: false },
      { locale: 'de' },
      { account_name: 'Mine' },
      { password: 'another-password-2' },
      { verified_at: '2026-01-01' },
    ]) {
      const { status } = await edit(owner, member.id, change)
      expect([change, status]).toEqual([change, 422])
    }
    expect(await userRow(member.id)).toEqual(before)
  })
})

/** Rows act on columns. */
const may: Record<string, string[]> = {
  owner: ['owner', 'admin', 'developer', 'user'],
  admin: ['admin', 'user'],
  developer: [],
  user: [],
}

describe('which role may change which role [T-32] [role:admin-only]', () => {
  test.each(Object.entries(may))('%s on %j', async (role, allowed) => {
    const owner = await ownerOn()
    const by = await people.member(owner, role as 'owner') // as: one of the four, which the harness takes
    for (const target of ['owner', 'admin', 'developer', 'user'] as const) {
      const whom = await people.member(owner, target)
      const edited = await edit(by, whom.id, { permission: target === 'user' ? 'admin' : 'user' })
      const expected = !allowed.includes(target) ? 403 : target === 'owner' ? 409 : 200
      expect([role, target, 'edit', edited.status]).toEqual([role, target, 'edit', expected])
      const removed = await remove(by, whom.id)
      expect([role, target, 'remove', removed.status]).toEqual([
        role,
        target,
        'remove',
        allowed.includes(target) ? 200 : 403,
      ])
      expect(await alive(whom)).toBe(!allowed.includes(target))
    }
  })

  test('an admin gives no role that they could not give in an invite', async () => {
    const owner = await ownerOn()
    const admin = await people.member(owner, 'admin')
    const member = await people.member(owner, 'user')
    const { status, body } = await edit(admin, member.id, { permission: 'developer' })
    expect([status, body.inputError]).toEqual([403, 'permission'])
  })

  test('an admin who is demoted during the call is refused', async () => {
    const owner = await ownerOn()
    const admin = await people.member(owner, 'admin')
    const member = await people.member(owner, 'user')
    const answers = await Promise.all([
      edit(owner, admin.id, { permission: 'user' }),
      ...Array.from({ length: 10 }, () => remove(admin, member.id)),
    ])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect((await remove(admin, member.id)).status).toBe(403)
  })

  test('ids of another account return not found [T-34]', async () => {
    const [a, b] = [await ownerOn(), await ownerOn()]
    const member = await people.member(b, 'user')
    const before = await userRow(member.id)
    for (const id of [member.id, b.id, '019a9f3e-6c1d-7c07-9a31-52d8e6f4b7a2']) {
      expect((await edit(a, id, { permission: 'admin' })).status).toBe(404)
      expect((await edit(a, id, { email: freshEmail() })).status).toBe(404)
      expect((await remove(a, id)).status).toBe(404)
      expect((await transfer(a, id)).status).toBe(404)
    }
    for (const id of ['1', 'x', "' or 1=1 --"])
      expect((await remove(a, encodeURIComponent(id))).status).toBe(404)
    expect([await userRow(member.id), await alive(member)]).toEqual([before, true])
    expect((await rolesIn(b))[member.id]).toBe('user')
  })

  test('without a session, unverified, without a plan', async () => {
    const owner = await ownerOn()
    const member = await people.member(owner, 'user')
    expect((await call('PATCH', '/api/user', { body: { id: member.id, permission: 'admin' } })).status).toBe(
      401,
    )
    expect((await call('DELETE', `/api/user/${member.id}`)).status).toBe(401)
    expect((await edit(await people.signUp(), member.id, { permission: 'admin' })).status).toBe(403)
    expect((await edit(await people.verified(), member.id, { permission: 'admin' })).status).toBe(402)
    expect((await remove(await people.verified(), member.id)).status).toBe(402)
  })
})

describe('removing a member [call:DELETE /api/user/{id}]', () => {
  test('ends their sessions in this account, not in others, and mails them [T-31]', async () => {
    const owner = await ownerOn()
    const member = await people.member(owner, 'developer')
    const { data: elsewhere } = await call('POST', '/api/auth', { body: { email: member.email, password } })
    const before = await userRow(member.id)
    const { id } = await people.mailTo(member.email)
    const { status, data, body } = await remove(owner, member.id)
    expect([status, data, body.message]).toEqual([200, { signout: false }, 'User deleted'])
    expect(await alive(member)).toBe(false)
    expect(await alive(elsewhere)).toBe(true)
    expect(await userRow(member.id)).toEqual(before)
    const { subject, text } = await people.mailTo(member.email, id)
    expect([subject, text.includes('removed you')]).toEqual(['You’ve been removed from Mara’s account', true])
    expect(await logged(owner.account_id, 'member.removed')).toMatchObject([
      { user_id: owner.id, target: member.id },
    ])
    expect(
      (
        await call('POST', '/api/auth/switch', {
          token: elsewhere.token,
          body: { account: owner.account_id },
        })
      ).status,
    ).toBe(404)
  })

  test('a member without another account is deleted', async () => {
    const owner = await ownerOn()
    const { id, email } = await created(owner)
    expect((await remove(owner, id)).status).toBe(200)
    expect(await userRow(id)).toBeUndefined()
    expect((await call('POST', '/api/auth', { body: { email, password: 'given-password-1' } })).status).toBe(
      422,
    )
  })

  test('of fifty parallel calls one removes it', async () => {
    const owner = await ownerOn()
    const member = await people.member(owner, 'user')
    const answers = await Promise.all(Array.from({ length: 50 }, () => remove(owner, member.id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49)
  })

  test('the caller: with the same proof as closing, and signed out [state:user.delete-self]', async () => {
    const owner = await ownerOn()
    const admin = await people.member(owner, 'admin')
    expect((await remove(admin, admin.id)).body).toMatchObject({ inputError: 'password' })
    expect((await remove(admin, admin.id, { password: 'wrong-password-1' })).body.code).toBe('password_wrong')
    const { data } = await remove(admin, admin.id, { password })
    // Another account of theirs opens instead.
    expect(data).toMatchObject({ signout: false, session: { account_id: expect.any(String) } })
    expect(data.session.account_id).not.toBe(owner.account_id)
    expect(await alive(admin)).toBe(false)
  })

  test('the list tells an owner whether they are the only one, for any search', async () => {
    const owner = await ownerOn()
    const admin = await people.member(owner, 'admin')
    const onlyOwner = async (token: string) =>
      (await call('GET', '/api/account/users?search=nobody', { token })).data.only_owner
    expect(await onlyOwner(owner.token)).toBe(true)
    expect(await onlyOwner(admin.token)).toBe(false)
    await people.member(owner, 'owner')
    expect(await onlyOwner(owner.token)).toBe(false)
  })

  test('the last owner can’t be removed [T-33]', async () => {
    const owner = await ownerOn()
    const { status, body } = await remove(owner, owner.id, { password })
    expect([status, body.code]).toEqual([409, 'last_owner'])
  })

  test('with a paid subscription the change of seats is recorded in the same transaction', async () => {
    const owner = await ownerOn()
    const changes = () => system('select version from seat_changes where account_id = $1', [owner.account_id])
    const first = await people.member(owner, 'user')
    expect(await changes()).toEqual([])
    await system('update subscriptions set provider_sub_id = $2 where account_id = $1', [
      owner.account_id,
      `sub_${owner.account_id}`,
    ])
    await people.member(owner, 'user')
    expect(await changes()).toEqual([{ version: 1 }])
    await remove(owner, first.id)
    expect(await changes()).toEqual([{ version: 2 }])
    await edit(owner, (await people.member(owner, 'user')).id, { permission: 'admin' })
    expect(await changes()).toEqual([{ version: 3 }])
  })
})
