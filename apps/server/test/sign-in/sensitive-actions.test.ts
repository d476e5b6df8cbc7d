import { contract, type Endpoint } from '@plinth/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { expectMail } from '../harness/expect-mail.ts'
import { makeTestApp } from '../harness.ts'
import { sensitiveActions } from './sensitive-actions.ts'

/**
 * Every writing call is either marked `sensitive` in the contract, and then must leave an audit entry and a mail, or is
 * listed below with the reason why it sends none. A new call fails until it is in one of the two.
 */
const made = await makeTestApp({ TRUST_PROXY: '127.0.0.1' })
const { db } = made
const cases = sensitiveActions(made)

const signsIn = 'a sign-in: mailed when the device is new (new-device-by-method.test.ts)'
const starts = 'starts a change; the call that completes it sends the mail'
const asks = 'requests a mail'
const previews = 'reads a link without using it'
const work = 'no change of security settings'
/** Writing calls without notification. */
const withoutMail: Record<string, string> = {
  'POST /api/account': 'a new user; the address gets the verification mail',
  'POST /api/user': 'done by the invited person; the sender can get a mail about it',
  'POST /api/invite/accept': 'done by the invited person; the sender can get a mail about it',
  'DELETE /api/auth': 'ends only the session of the caller',
  'POST /api/auth/switch': signsIn,
  'POST /api/auth/magic/verify': signsIn,
  'POST /api/auth/passkey': signsIn,
  'POST /api/auth/passkey/options': starts,
  'POST /api/user/passkeys/options': starts,
  'POST /api/user/passkeys/proof/options': starts,
  'POST /api/user/passkeys/proof': 'a proof for another call, which sends the mail',
  'POST /api/user/identities': starts,
  'POST /api/impersonation': 'audited; the user gets a mail when the link is used',
  'POST /api/sso/domains': 'without effect until the domain is verified',
  'POST /api/sso/test': 'creates no session',
  'POST /api/user/verify/request': asks,
  'POST /api/auth/magic': asks,
  'POST /api/auth/password/reset/request': asks,
  'POST /api/auth/link': previews,
  'POST /api/invite/look': previews,
  'DELETE /api/invite/:id': 'audited; an unused invite gives no access',
  'PATCH /api/user/passkeys/:id': 'changes only the name that its owner sees',
  'DELETE /api/user/sessions/:id': 'audited; it only removes access',
  'DELETE /api/user/sessions': 'audited; it only removes access',
  'POST /api/auth/session/end': 'audited; it only removes access, by a link in a mail',
  'POST /api/account/audit/csv': 'audited; the screen shows the same data',
  'POST /api/user/export': 'audited; the screens show the same data',
  'PATCH /api/notification': 'audited',
  'POST /api/utility/mail': work,
  'POST /api/feedback': work,
  'POST /api/event': work,
  'POST /api/usage': work,
}

const all: Endpoint[] = Object.values(contract).flatMap(table => Object.values(table))
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const writing = all.filter(({ method }) => method !== 'GET')
const done = new Set(Object.keys(cases).map(at => at.split(',')[0]))
const fieldsOf = ({ body }: Endpoint) =>
  body ? JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })) : ''
/** Requires a proof: password or code. */
const requiresProof = (endpoint: Endpoint) =>
  ['"password":{', '"code":{'].every(field => fieldsOf(endpoint).includes(field)) &&
  endpoint.needs !== 'public'

describe('T-88 sensitive calls', () => {
  test('every writing call is either marked sensitive or listed without notification', () => {
    const undecided = writing.filter(one => Boolean(one.sensitive) === nameOf(one) in withoutMail).map(nameOf)
    expect(undecided).toEqual([])
    const known = new Set(writing.map(nameOf))
    expect(Object.keys(withoutMail).filter(at => !known.has(at))).toEqual([])
  })

  test('a call that requires a proof is sensitive, unless it only starts a change', () => {
    expect(writing.filter(requiresProof).length).toBeGreaterThan(10)
    const silent = writing.filter(one => requiresProof(one) && !one.sensitive).map(nameOf)
    expect(silent.filter(at => withoutMail[at] !== starts)).toEqual(['POST /api/impersonation'])
  })

  test('every sensitive call has a case below', () => {
    const sensitive = all.filter(one => one.sensitive).map(nameOf)
    expect([...done].sort()).toEqual(sensitive.sort())
  })

  test('a call that requires a proof declares the refusals for a wrong one', () => {
    const due = ['proof_required', 'password_wrong', 'code_wrong'] as const
    const undeclared = writing
      .filter(requiresProof)
      .filter(({ refuses = [] }) => !due.every(code => refuses.includes(code)))
    expect(undeclared.map(nameOf)).toEqual([])
  })
})

describe('T-88 writes an audit entry and sends a mail', () => {
  test.each(Object.entries(cases))('%s', async (_, act) => {
    const { answer, audit, mails } = await act()
    expect(answer.status, answer.text).toBe(200)
    for (const [to, subject] of mails) await expectMail(made, to, subject)
    if (!audit) return
    // The job that sends the mail may also write the audit entry, so read it after the mail.
    const { rows } = await db.asOwnerOfJobs(
      'select account_id from audit_log where account_id = any ($1) and action = $2',
      [audit.accounts, audit.action],
    )
    const found = (rows as { account_id: string }[]).map(({ account_id }) => account_id) // as: the column asked for
    expect(found.sort()).toEqual([...audit.accounts].sort())
  })
})
