import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { masterFactory } from '../../../test/factories/masters.ts'
import { type By, teamHelpers } from '../../../test/factories/team.ts'
import { makeTestApp, password } from '../../../test/harness.ts'

const harness = await makeTestApp()
const { call, people } = harness
const makeMaster = masterFactory(harness)
const { ownerOn, logged } = teamHelpers(harness)

const alive = async (by: By) => (await call('GET', '/api/auth', { token: by.token })).data.authenticated
const signOut = (by: By, id: string) => call('DELETE', `/api/user/${id}/sessions`, { token: by.token })

describe('signing a member out on all devices', () => {
  test('ends the sessions in this account, not those in other accounts, and is audited', async () => {
    const owner = await ownerOn()
    const member = await people.member(owner, 'developer')
    const { data: phone } = await call('POST', '/api/auth/switch', {
      token: (await call('POST', '/api/auth', { body: { email: member.email, password } })).data.token,
      body: { account: owner.account_id },
    })
    const { data: elsewhere } = await call('POST', '/api/auth', { body: { email: member.email, password } })
    expect(elsewhere.account_id).not.toBe(owner.account_id)
    const { status, data, body } = await signOut(owner, member.id)
    expect([status, data, body.message]).toEqual([200, { ended: 2 }, 'Signed out on all devices'])
    expect(await Promise.all([member, phone, elsewhere, owner].map(alive))).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(await logged(owner.account_id, 'member.signed_out')).toMatchObject([
      { user_id: owner.id, target: member.id },
    ])
  })

  test('a session of another account can’t be switched into this one without signing in again', async () => {
    const owner = await ownerOn()
    const member = await people.member(owner, 'developer')
    const enter = async () =>
      (await call('POST', '/api/auth', { body: { email: member.email, password } })).data as By
    const back = ({ token }: By) =>
      call('POST', '/api/auth/switch', { token, body: { account: owner.account_id } })
    const [before, other] = [await enter(), await enter()]
    expect((await signOut(owner, member.id)).status).toBe(200)
    expect((await back(before)).body.code).toBe('sign_in_again')
    expect(await alive(before)).toBe(true)
    expect((await back(await enter())).data).toMatchObject({ account_id: owner.account_id })
    expect((await back(other)).body.code).toBe('sign_in_again')
  })

  test('an admin can do it to a user, not to an owner or a developer', async () => {
    const owner = await ownerOn()
    const [admin, user, developer] = [
      await people.member(owner, 'admin'),
      await people.member(owner, 'user'),
      await people.member(owner, 'developer'),
    ]
    expect((await signOut(admin, user.id)).status).toBe(200)
    for (const other of [owner, developer]) {
      expect((await signOut(admin, other.id)).body.code).toBe('permission_required')
      expect(await alive(other)).toBe(true)
    }
  })

  test.each(['developer', 'user'] as const)('is refused to a %s', async role => {
    const owner = await ownerOn()
    const member = await people.member(owner, role)
    expect((await signOut(member, owner.id)).status).toBe(403)
    expect(await alive(owner)).toBe(true)
  })

  test('a member of another account, an unknown id and an invalid id return not found', async () => {
    const [owner, stranger] = [await ownerOn(), await ownerOn()]
    for (const id of [stranger.id, randomUUID(), 'no-id']) expect((await signOut(owner, id)).status).toBe(404)
    expect(await alive(stranger)).toBe(true)
  })

  test('a master signs any user out of all accounts, audited in each', async () => {
    const master = await makeMaster()
    const owner = await ownerOn()
    expect((await signOut(master, owner.id)).status).toBe(200)
    expect(await alive(owner)).toBe(false)
    expect(await logged(owner.account_id, 'member.signed_out')).toMatchObject([{ user_id: master.id }])
  })
})
