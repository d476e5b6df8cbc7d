import { describe, expect, test } from 'vitest'
import { makeMaster } from '../../../test/factories/masters.ts'
import { teamHelpers } from '../../../test/factories/team.ts'
import { makeTestApp, password } from '../../../test/harness.ts'

const harness = await makeTestApp()
const { call, people, services, clock } = harness
const minutes = 60_000

const { ownerOn, edit, remove, transfer, system, rolesIn, logged, created } = teamHelpers(harness)

describe('owners [T-33] [call:POST /api/account/owner]', () => {
  test('of two owners who remove each other in parallel one stays, in 200 runs', {
    timeout: 120_000,
  }, async () => {
    const owner = await ownerOn()
    const other = await people.member(owner, 'owner')
    const both = [owner, other]
    const { account_id } = owner
    const stored = await services.asSystem('test', tx =>
      tx.selectFrom('sessions').selectAll().where('account_id', '=', account_id).execute(),
    )
    const outcomes = new Set<string>()
    for (let round = 0; round < 200; round++) {
      const [a, b] = await Promise.all([remove(owner, other.id), remove(other, owner.id)])
      outcomes.add([a.status, b.status].join())
      const left = await rolesIn(owner)
      expect(Object.values(left), `round ${round}: ${a.status} ${b.status}`).toEqual(['owner'])
      const gone = both.find(({ id }) => !(id in left))
      if (!gone) throw new Error('Somebody has to be gone')
      await services.asSystem('test', async tx => {
        await tx
          .insertInto('users')
          .columns(['id', 'email', 'first_name', 'last_name', 'verified_at'])
          .values({
            id: gone.id,
            email: gone.email,
            first_name: 'Mara',
            last_name: 'Okafor',
            verified_at: new Date(),
          })
          .onConflict(conflict => conflict.column('id').doNothing())
          .execute()
        await tx.insertInto('memberships').values({ account_id, user_id: gone.id, role: 'owner' }).execute()
        await tx
          .insertInto('sessions')
          .values(stored.filter(({ user_id }) => user_id === gone.id))
          .execute()
      })
    }
    for (const outcome of outcomes) expect(['200,401', '401,200', '200,403', '403,200']).toContain(outcome)
  })

  test('the database also refuses the second of two direct removals', async () => {
    const owner = await ownerOn()
    const other = await people.member(owner, 'owner')
    const drop = (statement: string, id: string) =>
      system(`${statement} where account_id = $1 and user_id = $2`, [owner.account_id, id]).then(
        () => 'done',
        (error: { code: string; constraint: string }) => `${error.code} ${error.constraint}`,
      )
    const demote = "update memberships set role = 'admin'"
    const outcomes = await Promise.all([drop('delete from memberships', owner.id), drop(demote, other.id)])
    expect(outcomes.sort()).toEqual(['23514 memberships_last_owner', 'done'])
    expect(Object.values(await rolesIn(owner)).filter(role => role === 'owner')).toHaveLength(1)
  })

  test('an owner transfers the ownership and becomes an admin, with two mails and an audit entry [T-88]', async () => {
    const owner = await ownerOn()
    const member = await people.member(owner, 'user')
    const [before, beforeOwn] = [await people.mailTo(member.email), await people.mailTo(owner.email)]
    const { status, data, body } = await transfer(owner, member.id)
    expect([status, data, body.message]).toEqual([
      200,
      { permission: 'admin' },
      'Mara Okafor is now the owner',
    ])
    expect(await rolesIn(owner)).toEqual({ [owner.id]: 'admin', [member.id]: 'owner' })
    expect((await call('GET', '/api/auth', { token: member.token })).data.permission).toBe('owner')
    expect((await call('GET', '/api/account/card', { token: owner.token })).status).not.toBe(200)
    expect((await people.mailTo(member.email, before.id)).subject).toBe(
      'You’re now an owner of Mara’s account',
    )
    expect((await people.mailTo(owner.email, beforeOwn.id)).subject).toBe('Mara’s account has a new owner')
    expect(await logged(owner.account_id, 'owner.transferred')).toMatchObject([
      { user_id: owner.id, target: member.id, metadata: { from: 'user' } },
    ])
  })

  test('or stays an owner too', async () => {
    const owner = await ownerOn()
    const member = await people.member(owner, 'admin')
    const { data } = await transfer(owner, member.id, { stay: true })
    expect(data).toEqual({ permission: 'owner' })
    expect(await rolesIn(owner)).toEqual({ [owner.id]: 'owner', [member.id]: 'owner' })
  })

  test('needs a proof when the sign-in is older than ten minutes', async () => {
    const owner = await ownerOn()
    const member = await people.member(owner, 'user')
    clock.add(11 * minutes)
    const asked = await transfer(owner, member.id)
    expect([asked.status, asked.body.code, asked.body.inputError]).toEqual([
      403,
      'proof_required',
      'password',
    ])
    expect((await transfer(owner, member.id, { password: 'wrong-password-1' })).body.code).toBe(
      'password_wrong',
    )
    expect((await transfer(owner, member.id, { password })).status).toBe(200)
    clock.add(-11 * minutes)
  })

  test('refuses an unverified user, the caller themselves and callers who are not owners', async () => {
    const owner = await ownerOn()
    const { id } = await created(owner)
    expect((await transfer(owner, id)).body.code).toBe('member_unverified')
    expect((await transfer(owner, owner.id)).status).toBe(404)
    const member = await people.member(owner, 'user')
    for (const role of ['admin', 'developer', 'user'] as const)
      expect((await transfer(await people.member(owner, role), member.id)).status).toBe(403)
    expect((await transfer(owner, 'nobody')).body.inputError).toBe('user')
  })

  test('a master in another account is not its owner [T-25] [T-42]', async () => {
    const owner = await ownerOn()
    const master = await people.member(owner, 'user')
    await makeMaster(harness.db, master)
    const member = await people.member(owner, 'user')
    expect((await transfer(master, member.id)).status).toBe(403)
    expect((await remove(master, owner.id)).status).toBe(403)
    expect((await edit(master, member.id, { permission: 'admin' })).status).toBe(200)
  })

  test('of twenty transfers to different people at once one succeeds', async () => {
    const owner = await ownerOn()
    const members = await Promise.all(Array.from({ length: 5 }, () => people.member(owner, 'user')))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => transfer(owner, members[n % 5]?.id ?? '')),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(Object.values(await rolesIn(owner)).filter(role => role === 'owner')).toHaveLength(1)
  })
})
