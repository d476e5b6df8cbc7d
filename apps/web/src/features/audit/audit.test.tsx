import type { AuditEntry } from '@plinth/contract'
import { auditActions, auditAreas } from '@plinth/contract/audit-actions'
import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

let counter = 0
const entry = (change: Partial<AuditEntry> = {}): AuditEntry => ({
  id: `00000000-0000-7000-8000-${String(counter++).padStart(12, '0')}`,
  action: 'invite.sent',
  who: 'member',
  name: 'Inês Carvalho',
  email: 'ines@northquay.example',
  avatar: null,
  target: 'x',
  details: { email: 'jonas@northquay.example', role: 'admin' },
  network: '203.0.113.x',
  date_created: '2026-11-20T10:00:00.000Z',
  ...change,
})

const pageOf = (total: number) => ({ start: total ? 1 : 0, total, previous: null, next: null })

async function open(entries: AuditEntry[], path = '/account/audit') {
  const visitor = await visit({ path, user: sessionUser() })
  visitor.server.answer('audit.list', { json: { data: entries, page: pageOf(entries.length) } })
  visitor.open()
  return visitor
}
const row = async (words: string | RegExp) => {
  const found = (await screen.findByText(words, { selector: 'td span' })).closest('tr')
  if (!found) throw new Error('No row')
  return within(found)
}

describe('the audit log', () => {
  test('every action has a sentence, and an unknown action is shown by its name', async () => {
    await open([
      ...auditActions.map(action => entry({ action, details: {} })),
      entry({ action: 'moon.landed' }),
    ])
    await screen.findByText(/moon\.landed/)
    const text = screen.getByRole('table').textContent
    for (const action of auditActions) expect(text).not.toContain(action)
    expect(text).not.toMatch(/\{\{|audit\./)
  })

  test('names who acted, including former, deleted and support users', async () => {
    await open([
      entry(),
      entry({ who: 'former', name: 'Jonas Lind', email: null, action: 'member.left' }),
      entry({ who: 'gone', name: 'Deleted user 4F2A9C', email: null, action: 'password.changed' }),
      entry({ action: 'member.removed', details: { email: 'Deleted user 4F2A9C', role: 'user' } }),
      entry({ action: 'account.renamed', details: { before: 'South Pier', name: 'North Quay' } }),
      entry({ who: 'product', name: null, email: null, action: 'plan.changed', target: 'startup' }),
      entry({
        who: 'former',
        name: 'Sam Help',
        action: 'support.session_began',
        details: { user: 'a@b.example' },
      }),
    ])
    const invited = await row(/Invited jonas@northquay\.example as Administrator/)
    expect(invited.getAllByText('Inês Carvalho')).not.toHaveLength(0)
    expect((await row(/Left the account/)).getAllByText('(has left)')).not.toHaveLength(0)
    expect((await row(/Changed their password/)).getAllByText('Deleted user 4F2A9C')).not.toHaveLength(0)
    await row('Removed Deleted user 4F2A9C from the account')
    await row('Renamed the account from “South Pier” to “North Quay”')
    expect((await row(/Changed the plan to Startup/)).getAllByText('Plinth')).not.toHaveLength(0)
    expect((await row(/Started acting as a@b\.example/)).getAllByText('(support)')).not.toHaveLength(0)
  })

  test('queries the filters of the URL, with days in the user’s time zone', async () => {
    const { server } = await open([], '/account/audit?what=sso&search=ines&since=2026-03-01&until=2026-03-01')
    expect(await screen.findByText('Nothing matches these filters.')).toBeVisible()
    const [asked] = server.asked('audit.list')
    const since = new Date('2026-03-01T00:00:00')
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({
      what: 'sso',
      search: 'ines',
      limit: '50',
      since: since.toISOString(),
      until: new Date(2026, 2, 2).toISOString(),
    })
  })

  test('an end date before the start date shows an error at its field', async () => {
    await open([], '/account/audit?since=2026-03-02&until=2026-03-01')
    expect(await screen.findByRole('alert')).toHaveTextContent('“Until” is before “From”.')
    const until = screen.getByLabelText('Until')
    expect(until).toBeInvalid()
    expect(until).toHaveAccessibleDescription('“Until” is before “From”.')
    fireEvent.change(until, { target: { value: '2026-03-02' } })
    expect(screen.queryByRole('alert')).toBeNull()
    expect(until).toBeValid()
  })

  test('ignores invalid filters, and says that the log is empty', async () => {
    const { server } = await open([], '/account/audit?what=moon&since=0002-01-01&until=tomorrow')
    expect(await screen.findByRole('heading', { name: 'No activity yet' })).toBeVisible()
    expect([...(server.asked('audit.list')[0]?.query.keys() ?? [])]).toEqual(['limit'])
  })

  test('offers every area by name, and retries after a failure', async () => {
    const { server, keyboard } = await open([entry()])
    await keyboard.click(await screen.findByRole('button', { name: 'Everything' }))
    expect(await screen.findAllByRole('menuitemcheckbox')).toHaveLength(auditAreas.length + 1)
    server.answer('audit.list', { status: 500, json: { message: 'No', code: 'internal' } })
    await keyboard.click(screen.getByRole('menuitemcheckbox', { name: 'Plan' }))
    expect(await screen.findByText('The audit log didn’t load')).toBeVisible()
    const page = { start: 1, total: 1, previous: null, next: null }
    server.answer('audit.list', { json: { data: [entry({ action: 'plan.changed', target: 'free' })], page } })
    await keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    await row(/Changed the plan to Free/)
    expect(server.asked('audit.list').at(-1)?.query.get('what')).toBe('plan')
  })

  test('support gets no export', async () => {
    const user = sessionUser({ support_until: '2999-01-01T00:00:00.000Z' })
    const visitor = await visit({ path: '/account/audit', user })
    const page = { start: 1, total: 1, previous: null, next: null }
    visitor.server.answer('audit.list', { json: { data: [entry()], page } })
    visitor.open()
    await row(/Invited/)
    expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull()
  })
})

test('“Clear the filters” disappears with the filters, and the search takes the focus', async () => {
  const { keyboard, server } = await open([], '/account/audit?what=member')
  const clear = await screen.findByRole('button', { name: 'Clear the filters' })
  server.answer('audit.list', { json: { data: [entry()], page: pageOf(1) } })
  await keyboard.click(clear)
  await row(/Invited/)
  expect(screen.queryByRole('button', { name: 'Clear the filters' })).toBeNull()
  expect(screen.getByRole('searchbox')).toHaveFocus()
})
