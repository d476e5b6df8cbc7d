import { type AssignableRole, assignableRoles, type Role, roles } from '@plinth/contract/roles'
import { describe, expect, test } from 'vitest'
import { type By, teamHelpers } from '../../../test/factories/team.ts'
import { freshEmail, makeTestApp, password } from '../../../test/harness.ts'
import { mayInvite } from './rules.ts'

const harness = await makeTestApp()
const { call, people } = harness
const { ownerOn, edit, remove, transfer, system, logged } = teamHelpers(harness)

/** An invite as its three readers see it: the list, the count of seats, and the link. */
async function stateOf(by: By & { account_id: string }, id: string, secret: string) {
  const { data } = await call('GET', '/api/account/users', { token: by.token })
  const listed = data.invites.find((invite: { id: string }) => invite.id === id)
  const look = await call('POST', '/api/invite/look', { body: { invite_id: secret } })
  return { expired: listed?.expired, held: data.seats.held, link: look.body.code ?? 'works' }
}
const open = { expired: false, held: 1, link: 'works' }
const over = { expired: true, held: 0, link: 'invite_expired' }

async function invitedBy(by: By, permission = 'user') {
  const email = freshEmail('invited')
  const { data } = await call('POST', '/api/invite', { token: by.token, body: { email, permission } })
  return { email, id: data[0].id as string, secret: await people.inviteSecret(email) } // as: the id of a sent invite
}

async function deleteUser(id: string) {
  const own =
    "delete from accounts where id in (select account_id from memberships where user_id = $1 and role = 'owner')"
  await system(own, [id])
  await system('delete from users where id = $1', [id])
}

describe('the list, the seats and the link agree on an invite when its sender', () => {
  test.each<[string, (owner: By & { account_id: string }, admin: By & { id: string }) => Promise<unknown>]>([
    ['becomes a user', (owner, admin) => edit(owner, admin.id, { permission: 'user' })],
    ['becomes a developer', (owner, admin) => edit(owner, admin.id, { permission: 'developer' })],
    ['is removed', (owner, admin) => remove(owner, admin.id)],
    ['leaves', (_, admin) => remove(admin, admin.id, { password: password })],
    ['is deleted from the database', (_, admin) => deleteUser(admin.id)],
  ])('%s', async (_how, lose) => {
    const owner = await ownerOn()
    const admin = await people.member(owner, 'admin')
    const { id, email, secret } = await invitedBy(admin)
    expect(await stateOf(owner, id, secret)).toEqual(open)
    await lose(owner, admin)
    expect(await stateOf(owner, id, secret)).toEqual(over)
    // Sent again by a member who may, it works.
    const { id: seen } = await people.mailTo(email)
    const again = await call('POST', '/api/invite', { token: owner.token, body: { email } })
    expect(again.data).toMatchObject([{ id, result: 'resent' }])
    expect(await stateOf(owner, id, await people.inviteSecret(email, seen))).toEqual(open)
  })

  test('transfers the ownership: an admin may not invite developers, so only that invite expires', async () => {
    const owner = await ownerOn()
    const heir = await people.member(owner, 'admin')
    const [developer, user] = [await invitedBy(owner, 'developer'), await invitedBy(owner)]
    await transfer(owner, heir.id, { password: password })
    expect(await stateOf(heir, developer.id, developer.secret)).toEqual({ ...over, held: 1 })
    expect(await stateOf(heir, user.id, user.secret)).toEqual(open)
  })
})

test('the log says which invites expired with their sender’s permission, once', async () => {
  const owner = await ownerOn()
  const admin = await people.member(owner, 'admin')
  const { id, email } = await invitedBy(admin)
  await edit(owner, admin.id, { permission: 'user' })
  await remove(owner, admin.id)
  expect(await logged(owner.account_id, 'invite.expired')).toEqual([
    { user_id: null, target: id, metadata: { email, role: 'user' } },
  ])
})

test('an expired invite stays expired when its sender is promoted again', async () => {
  const owner = await ownerOn()
  const admin = await people.member(owner, 'admin')
  const { id, secret } = await invitedBy(admin)
  for (const permission of ['user', 'admin']) await edit(owner, admin.id, { permission })
  expect(await stateOf(owner, id, secret)).toEqual(over)
})

const members: Role[] = roles.filter(role => role !== 'master')
const pairs = members.flatMap(role => assignableRoles.map((given): [Role, AssignableRole] => [role, given]))
test.each(pairs)('the database and the rules agree on a new %s who invited a %s', async (role, given) => {
  const owner = await ownerOn()
  const inviter = await people.member(owner, role === 'user' ? 'admin' : 'user')
  const { id } = await invitedBy(owner, given)
  await system('update invites set invited_by = $2 where id = $1', [id, inviter.id])
  const place = [inviter.id, owner.account_id, role]
  await system('update memberships set role = $3 where user_id = $1 and account_id = $2', place)
  const [row] = await system<{ open: boolean }>(
    'select expires_at > sent_at as open from invites where id = $1',
    [id],
  )
  expect(row?.open).toBe(mayInvite(role, given))
})
