import { createHash } from 'node:crypto'
import { limits } from '@plinth/contract/patterns'
import type { PlanId } from '@plinth/contract/plans'
import { describe, expect, test } from 'vitest'
import { usePlan } from '../../../test/factories/use-plan.ts'
import { freshEmail, makeTestApp } from '../../../test/harness.ts'

const { call, people, clock, services, config } = await makeTestApp()
const day = 86_400_000

const ownerOn = async (plan: PlanId) => usePlan(services, await people.owner(), plan)

const invite = (by: { token: string }, email: string, permission?: string, more = {}) =>
  call('POST', '/api/invite', {
    token: by.token,
    body: { email, ...(permission ? { permission } : {}), ...more },
  })

const invitesOf = ({ account_id }: { account_id: string }) =>
  services.asSystem('test', tx =>
    tx.selectFrom('invites').selectAll().where('account_id', '=', account_id).orderBy('email').execute(),
  )

async function mailedLink(email: string, after: string | number = 0) {
  const mail = await people.mailTo(email, after)
  const link = new URL(mail.links.find(address => address.includes('/signup/user')) ?? 'http://no-link')
  return { mail, link, secret: link.searchParams.get('id') ?? '' }
}

describe('roles to choose from', () => {
  test('an owner can give all three, never the owner [call:GET /api/user/permissions] [role:invite-options] [rule:permission.no-owner] [entity:permission-list]', async () => {
    const owner = await ownerOn('startup')
    const { status, data } = await call('GET', '/api/user/permissions', { token: owner.token })
    expect([status, data]).toEqual([
      200,
      { admin: { label: 'Administrator' }, developer: { label: 'Developer' }, user: { label: 'User' } },
    ])
  })

  test('labels follow the language of the call', async () => {
    const owner = await ownerOn('startup')
    const headers = { 'accept-language': 'de' }
    const { data } = await call('GET', '/api/user/permissions', { token: owner.token, headers })
    expect(data).toMatchObject({ developer: { label: 'Entwickler' } })
  })

  test('the list contains the roles that the same member may invite into [T-32]', async () => {
    const owner = await ownerOn('startup')
    const admin = await people.member(owner, 'admin')
    const { data } = await call('GET', '/api/user/permissions', { token: admin.token })
    expect(Object.keys(data)).toEqual(['admin', 'user'])
  })

  test('needs a session', async () => {
    expect((await call('GET', '/api/user/permissions')).status).toBe(401)
  })
})

describe('invites', () => {
  test('answers the invites just sent, and mails a link [call:POST /api/invite] [entity:invite] [const:invite.default]', async () => {
    const owner = await ownerOn('startup')
    const email = freshEmail('ines')
    const { status, data, body } = await invite(owner, email)
    expect(status).toBe(200)
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email,
        permission: 'user',
        date_sent: expect.any(String),
        result: 'sent',
      },
    ])
    expect(body).toMatchObject({ message: 'Invite sent' })
    const { mail, link } = await mailedLink(email)
    expect(mail.subject).toBe('Mara Okafor invited you to Mara’s account')
    expect(mail.text).toContain('User')
    expect(link.origin).toBe(config.publicUrl)
    expect(link.searchParams.get('email')).toBe(email)
  })

  test('several addresses in one call, each once and in its one spelling [rule:invite.several]', async () => {
    const owner = await ownerOn('startup')
    const [a, b] = [freshEmail('a'), freshEmail('b')]
    const { data, body } = await invite(owner, ` ${a.toUpperCase()},${b};\n${a}`, 'developer')
    expect(data).toMatchObject([
      { email: a, permission: 'developer' },
      { email: b, permission: 'developer' },
    ])
    expect(body).toMatchObject({ message: '2 invites sent' })
  })

  test('only the hash of the secret is stored, and the listed id is another [T-36]', async () => {
    const owner = await ownerOn('startup')
    const email = freshEmail()
    const { data } = await invite(owner, email)
    const { secret } = await mailedLink(email)
    const [row] = await invitesOf(owner)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect(row?.secret_hash.equals(createHash('sha256').update(secret).digest())).toBe(true)
    expect(data).toMatchObject([{ id: row?.id }])
    expect(row?.id).not.toBe(secret)
    const everything = await services.asSystem('test', tx =>
      Promise.all([
        tx.selectFrom('invites').selectAll().execute(),
        tx.selectFrom('audit_log').selectAll().execute(),
        tx.selectFrom('idempotency_keys').selectAll().execute(),
      ]),
    )
    expect(JSON.stringify(everything)).not.toContain(secret)
  })

  test('the link expires after seven days', async () => {
    const owner = await ownerOn('startup')
    await invite(owner, freshEmail())
    const [row] = await invitesOf(owner)
    expect(Number(row?.expires_at) - Number(row?.sent_at)).toBe(7 * day)
  })

  test('a second invite to an address resends it: same row, new secret, later expiry [call:POST /api/invite resend]', async () => {
    const owner = await ownerOn('startup')
    const email = freshEmail()
    const first = await invite(owner, email)
    const { mail, secret } = await mailedLink(email)
    const [before] = await invitesOf(owner)
    clock.add(day)
    const second = await invite(owner, email, 'admin')
    expect(second.data).toMatchObject([{ id: before?.id, permission: 'admin', result: 'resent' }])
    expect(first.data).toMatchObject([{ id: before?.id }])
    const renewed = await mailedLink(email, mail.id)
    expect(renewed.secret).not.toBe(secret)
    const after = await invitesOf(owner)
    expect(after).toHaveLength(1)
    expect(Number(after[0]?.expires_at)).toBeGreaterThan(Number(before?.expires_at))
  })

  test('leaves a row in the audit log for each', async () => {
    const owner = await ownerOn('startup')
    const [a, b] = [freshEmail('a'), freshEmail('b')]
    await invite(owner, `${a},${b}`, 'admin')
    const rows = await services.asSystem('test', tx =>
      tx
        .selectFrom('audit_log')
        .select(['user_id', 'action', 'metadata'])
        .where('account_id', '=', owner.account_id)
        .where('action', '=', 'invite.sent')
        .execute(),
    )
    expect(rows).toEqual(
      expect.arrayContaining(
        [a, b].map(email => ({
          user_id: owner.id,
          action: 'invite.sent',
          metadata: { email, role: 'admin' },
        })),
      ),
    )
  })

  test('repeated with its Idempotency-Key it sends one mail', async () => {
    const owner = await ownerOn('startup')
    const email = freshEmail()
    const options = {
      token: owner.token,
      body: { email },
      headers: { 'idempotency-key': 'invite-once-0001' },
    }
    const first = await call('POST', '/api/invite', options)
    const [row] = await invitesOf(owner)
    const again = await call('POST', '/api/invite', options)
    expect(again.data).toEqual(first.data)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await invitesOf(owner))[0]?.secret_hash.equals(row?.secret_hash ?? Buffer.alloc(0))).toBe(true)
  })
})

describe('which roles may invite', () => {
  test.each(['developer', 'user'] as const)('%s may not [role:admin-only] [T-32]', async role => {
    const owner = await ownerOn('startup')
    const member = await people.member(owner, role)
    const { status, body } = await invite(member, freshEmail())
    expect([status, body.code]).toEqual([403, 'permission_required'])
    expect(await invitesOf(owner)).toEqual([])
  })

  test('an admin may, but not into developer', async () => {
    const owner = await ownerOn('startup')
    const admin = await people.member(owner, 'admin')
    expect((await invite(admin, freshEmail(), 'admin')).status).toBe(200)
    const refused = await invite(admin, freshEmail(), 'developer')
    expect([refused.status, refused.body.code, refused.body.inputError]).toEqual([
      403,
      'permission_required',
      'permission',
    ])
    expect(await invitesOf(owner)).toHaveLength(1)
  })

  test.each(['owner', 'master', 'root', '', 'USER'])(
    'no member invites into %j [rule:permission.no-owner] [T-30]',
    async permission => {
      const owner = await ownerOn('startup')
      const { status, body } = await call('POST', '/api/invite', {
        token: owner.token,
        body: { email: freshEmail(), permission },
      })
      expect([status, body.inputError]).toEqual([422, 'permission'])
      expect(await invitesOf(owner)).toEqual([])
    },
  )

  test('a visitor gets 401', async () => {
    expect((await call('POST', '/api/invite', { body: { email: freshEmail() } })).status).toBe(401)
  })

  test('an account without a plan is sent to choose one', async () => {
    const user = await people.verified()
    const { status, body } = await invite(user, freshEmail())
    expect([status, body.code]).toEqual([402, 'plan_required'])
  })

  test('one account neither sees nor moves the invites of another [T-34] [T-35]', async () => {
    const [a, b] = [await ownerOn('startup'), await ownerOn('startup')]
    const email = freshEmail()
    await invite(a, email)
    const [before] = await invitesOf(a)
    await invite(b, email, 'admin')
    expect(await invitesOf(a)).toEqual([before])
    expect(await invitesOf(b)).toMatchObject([{ email, role: 'admin' }])
    const seen = await services.withinAccount(b.account_id, tx =>
      tx.selectFrom('invites').select('account_id').execute(),
    )
    expect(seen).toEqual([{ account_id: b.account_id }])
  })
})

describe('refusals', () => {
  test('one invalid address refuses the list, and nothing is sent [rule:invite.email]', async () => {
    const owner = await ownerOn('startup')
    const { status, body } = await invite(owner, `${freshEmail()}, not-an-address`)
    expect([status, body.inputError]).toEqual([422, 'email'])
    expect(body).toMatchObject({ message: 'not-an-address is not a valid email address' })
    expect(await invitesOf(owner)).toEqual([])
  })

  test('an address that belongs to a member, by name', async () => {
    const owner = await ownerOn('startup')
    const { status, body } = await invite(owner, owner.email.toUpperCase())
    expect([status, body.code, body.inputError]).toEqual([409, 'already_member', 'email'])
    expect(body).toMatchObject({ message: `${owner.email} is already a member` })
    expect(await invitesOf(owner)).toEqual([])
  })

  test('in a list, a member is skipped and named; the others are invited', async () => {
    const owner = await ownerOn('startup')
    const fresh = freshEmail()
    const { status, data, body } = await invite(owner, `${owner.email}, ${fresh}`)
    expect([status, body.message]).toEqual([200, '1 invite sent, 1 not sent'])
    expect(data).toEqual([
      { id: null, email: owner.email, permission: 'user', date_sent: null, result: 'already_member' },
      expect.objectContaining({ email: fresh, result: 'sent' }),
    ])
    expect(await invitesOf(owner)).toMatchObject([{ email: fresh }])
  })

  test('a longer list than allowed [T-72]', async () => {
    const owner = await ownerOn('scale')
    const list = Array.from({ length: limits.invite_emails + 1 }, () => freshEmail())
    const refused = await invite(owner, list.join(','))
    expect([refused.status, refused.body.inputError]).toEqual([422, 'email'])
    expect((await invite(owner, list.slice(1).join(','))).data).toHaveLength(limits.invite_emails)
  })

  test('hostile addresses are refused at the field [T-30]', async () => {
    const owner = await ownerOn('startup')
    const hostile = [
      '',
      ' ,;, ',
      'a@x.example\r\nBcc: b@x.example',
      '<script>alert(1)</script>@x.example',
      "a@x.example'); drop table invites;--",
      'a@x.example\u0000',
      ['a@x.example'],
      { $ne: null },
      7,
      null,
      `${'a'.repeat(60)}@x.example,`.repeat(500),
    ]
    for (const email of hostile) {
      const { status, body } = await call('POST', '/api/invite', { token: owner.token, body: { email } })
      expect([email, status, body.inputError]).toEqual([email, 422, 'email'])
    }
    expect(await invitesOf(owner)).toEqual([])
  })

  test('unknown fields are refused, also with names of columns [T-30]', async () => {
    const owner = await ownerOn('startup')
    for (const field of [
      'account_id',
      'invited_by',
      'role',
      'id',
      'expires_at',
      '__proto__',
      'constructor',
    ]) {
      const { status } = await call('POST', '/api/invite', {
        token: owner.token,
        body: `{"email":"${freshEmail()}","${field}":"x"}`,
        headers: { 'content-type': 'application/json' },
      })
      expect([field, status >= 400 && status < 500]).toEqual([field, true])
    }
    expect(await invitesOf(owner)).toEqual([])
  })
})

test('ten parallel invites to one address send one mail, and the list shows one [T-72]', async () => {
  const owner = await ownerOn('startup')
  const email = freshEmail()
  const answers = await Promise.all(Array.from({ length: 10 }, () => invite(owner, email)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  expect(new Set(answers.map(({ data }) => data[0].id)).size).toBe(1)
  expect(await invitesOf(owner)).toHaveLength(1)
  const { id } = await people.mailTo(email)
  await invite(owner, email)
  // The next mail is that of a later call: none came between.
  await people.mailTo(email, id)
  const reply = await fetch(`${config.sandboxUrl}/sandbox/inbox?to=${encodeURIComponent(email)}`)
  const { data } = (await reply.json()) as { data: unknown[] } // as: the sandbox's answer
  expect(data).toHaveLength(2)
})
