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

const signsIn = 'a sign-in: told of where all of them end, if the device is new (new-device-doors.test.ts)'
const begins = 'begins what another call, or the way back from the provider, brings about and tells'
const asks = 'asks for a mail'
const looks = 'looks at what a link is about'
const work = 'daily work'
/** Writing calls without notification. */
const quiet: Record<string, string> = {
  'POST /api/account': 'nobody is there yet to be told; the address gets its verification',
  'POST /api/user': 'the invited one does it, and owners hear that somebody joined, if they like',
  'POST /api/invite/accept': 'as above',
  'DELETE /api/auth': 'out of this browser, by whoever is in it',
  'POST /api/auth/switch': signsIn,
  'POST /api/auth/magic/verify': signsIn,
  'POST /api/auth/passkey': signsIn,
  'POST /api/auth/passkey/options': begins,
  'POST /api/user/passkeys/options': begins,
  'POST /api/user/passkeys/proof/options': begins,
  'POST /api/user/passkeys/proof': 'a proof, as the password in a call is: what it is for is told',
  'POST /api/user/identities': begins,
  'POST /api/impersonation':
    'in the log; the user hears of it when the link is used, until which it opens nothing',
  'POST /api/sso/domains': 'a name, until its record proves it',
  'POST /api/sso/test': 'signs nobody in',
  'POST /api/user/verify/request': asks,
  'POST /api/auth/magic': asks,
  'POST /api/auth/password/reset/request': asks,
  'POST /api/auth/link': looks,
  'POST /api/invite/look': looks,
  'DELETE /api/invite/:id': 'in the log; nobody had anything by it yet',
  'PATCH /api/user/passkeys/:id': 'its name, for its owner alone',
  'DELETE /api/user/sessions/:id': 'in the log; fewer ways in, by somebody inside',
  'DELETE /api/user/sessions': 'as above',
  'POST /api/auth/session/end': 'as above, by the mail that told of it',
  'POST /api/account/audit/csv': 'in the log; what their screen shows anyway',
  'POST /api/user/export': 'in the log; what their own screens show anyway',
  'PATCH /api/notification': 'in the log',
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
/** Asks for a proof of who asks. */
const guarded = (endpoint: Endpoint) =>
  ['"password":{', '"code":{'].every(field => fieldsOf(endpoint).includes(field)) &&
  endpoint.needs !== 'public'

describe('T-88 sensitive calls', () => {
  test('every writing call is either marked sensitive or listed without notification', () => {
    const undecided = writing.filter(one => Boolean(one.sensitive) === nameOf(one) in quiet).map(nameOf)
    expect(undecided).toEqual([])
    const known = new Set(writing.map(nameOf))
    expect(Object.keys(quiet).filter(at => !known.has(at))).toEqual([])
  })

  test('what asks for a proof is sensitive, unless it only begins something', () => {
    expect(writing.filter(guarded).length).toBeGreaterThan(10)
    const silent = writing.filter(one => guarded(one) && !one.sensitive).map(nameOf)
    expect(silent.filter(at => quiet[at] !== begins)).toEqual(['POST /api/impersonation'])
  })

  test('every sensitive call is done below', () => {
    const sensitive = all.filter(one => one.sensitive).map(nameOf)
    expect([...done].sort()).toEqual(sensitive.sort())
  })

  test('a call that requires a proof declares the refusals for a wrong one', () => {
    const due = ['proof_required', 'password_wrong', 'code_wrong'] as const
    const untold = writing
      .filter(guarded)
      .filter(({ refuses = [] }) => !due.every(code => refuses.includes(code)))
    expect(untold.map(nameOf)).toEqual([])
  })
})

describe('T-88 is in the log, and in a mail', () => {
  test.each(Object.entries(cases))('%s', async (_, act) => {
    const { answer, audit, mails } = await act()
    expect(answer.status, answer.text).toBe(200)
    for (const [to, subject] of mails) await expectMail(made, to, subject)
    if (!audit) return
    // A job may write it, as it does the mail that has just come.
    const { rows } = await db.asOwnerOfJobs(
      'select account_id from audit_log where account_id = any ($1) and action = $2',
      [audit.accounts, audit.action],
    )
    const found = (rows as { account_id: string }[]).map(({ account_id }) => account_id) // as: the column asked for
    expect(found.sort()).toEqual([...audit.accounts].sort())
  })
})
