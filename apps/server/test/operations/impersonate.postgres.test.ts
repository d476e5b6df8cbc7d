import { describe, expect, test } from 'vitest'
import { masterFactory } from '../factories/masters.ts'
import { impersonate } from '../harness/run-impersonate.ts'
import { freshEmail, makeTestApp } from '../harness.ts'

// The command works beside a server that runs, on the one PostgreSQL of both.
const server = await makeTestApp()
const { call, config, databaseUrl, db, people } = server
const env = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: config.dataDir }
const system = db.asOwnerOfJobs

const master = masterFactory(server)
const by = await master()

async function helped({ allows }: { allows: boolean }) {
  const user = await people.owner(freshEmail('helped'))
  await call('PATCH', '/api/user', { token: user.token, body: { support_enabled: allows } })
  return user
}
const made = async (user: { account_id: string }) =>
  (
    await system("select user_id from audit_log where account_id = $1 and action = 'support.link_made'", [
      user.account_id,
    ])
  ).rows

describe('the command that makes a link for support [T-41]', () => {
  test('writes a link that opens the user’s session, for that master and once', async () => {
    const [user, other] = [await helped({ allows: true }), await master()]
    const { code, output, errors } = await impersonate(env, `--as=${by.email}`, `--user=${user.email}`)
    expect([code, errors]).toEqual([0, ''])
    expect(output).toContain(`signed in as ${by.email}, within half an hour`)
    const link = new URL(/^http\S+$/m.exec(output)?.[0] ?? '')
    expect(link.origin + link.pathname).toBe(`${config.publicUrl}/signin/impersonate`)
    expect(await made(user)).toEqual([{ user_id: by.id }])
    const open = ({ token }: { token: string }) =>
      call('POST', '/api/auth/impersonate', { token, body: { token: link.searchParams.get('token') } })
    expect((await open(other)).body.code).toBe('link_expired')
    const opened = await open(by)
    expect(opened).toMatchObject({ status: 200, data: { id: user.id, account_id: user.account_id } })
    expect((await call('GET', '/api/user', { token: opened.data.token })).data.email).toBe(user.email)
    expect((await open(by)).body.code).toBe('link_expired')
  })

  test('opens the account that it names, of those the user is in', async () => {
    const user = await helped({ allows: true })
    const host = await people.owner()
    await system("insert into memberships (account_id, user_id, role) values ($1, $2, 'user')", [
      host.account_id,
      user.id,
    ])
    const args = [`--as=${by.email}`, `--user=${user.email}`, `--account=${host.account_id}`]
    expect(await impersonate(env, ...args)).toMatchObject({ code: 0 })
    expect([await made(host), await made(user)]).toEqual([[{ user_id: by.id }], []])
  })

  test('makes none without the user’s consent, nor for who is no master', async () => {
    const [refuses, allows] = [await helped({ allows: false }), await helped({ allows: true })]
    const nobody = { email: freshEmail('nobody') }
    const tries = [
      [by, refuses, `${refuses.email} hasn’t turned on support access`],
      [refuses, allows, `${refuses.email} is not a master`],
      [by, nobody, `${nobody.email} is no user`],
    ] as const
    for (const [as, user, sentence] of tries) {
      const answer = await impersonate(env, `--as=${as.email}`, `--user=${user.email}`)
      expect(answer).toEqual({ code: 1, output: '', errors: expect.stringContaining(sentence) })
      expect(answer.errors.trim()).not.toContain('\n')
    }
    for (const user of [refuses, allows]) expect(await made(user)).toEqual([])
  })
})
