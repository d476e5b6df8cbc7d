import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp } from '../../../test/harness.ts'

const { call, people, services } = await makeTestApp()

const invite = (by: { token: string }, email: string) =>
  call('POST', '/api/invite', { token: by.token, body: { email } })

const invitesOf = ({ account_id }: { account_id: string }) =>
  services.asSystem('test', tx =>
    tx.selectFrom('invites').selectAll().where('account_id', '=', account_id).execute(),
  )

describe('seats', () => {
  test('members and pending invites fill the plan; over it names the plan with more [T-72]', async () => {
    const owner = await people.owner()
    expect((await invite(owner, `${freshEmail()}, ${freshEmail()}`)).status).toBe(200)
    const { status, body } = await invite(owner, freshEmail())
    expect([status, body.code, body.plan]).toEqual([402, 'limit_reached', 'startup'])
  })

  test('a list that exceeds the seats is refused as a whole', async () => {
    const owner = await people.owner()
    const list = Array.from({ length: 20 }, () => freshEmail()).join(',')
    const { status, body } = await invite(owner, list)
    expect([status, body.plan]).toEqual([402, 'scale'])
    expect(await invitesOf(owner)).toEqual([])
  })

  test('a resend takes no second seat', async () => {
    const owner = await people.owner()
    const list = `${freshEmail()}, ${freshEmail()}`
    await invite(owner, list)
    expect((await invite(owner, list)).status).toBe(200)
  })

  test('an expired invite frees its seat', async () => {
    const owner = await people.owner()
    await invite(owner, `${freshEmail()}, ${freshEmail()}`)
    await services.asSystem('test', tx =>
      tx
        .updateTable('invites')
        .set({ expires_at: new Date(0) })
        .where('account_id', '=', owner.account_id)
        .execute(),
    )
    expect((await invite(owner, freshEmail())).status).toBe(200)
  })

  test('of a hundred parallel invites for the last seat one is sent', async () => {
    const owner = await people.owner()
    await invite(owner, freshEmail())
    const answers = await Promise.all(Array.from({ length: 100 }, () => invite(owner, freshEmail())))
    const statuses = answers.map(answer => answer.status)
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    expect(statuses.filter(status => status === 402)).toHaveLength(99)
    expect(await invitesOf(owner)).toHaveLength(2)
  })
})
