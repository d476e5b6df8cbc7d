import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/harness/temporary-folder.ts'
import { makeTestApp } from '../../../../test/harness.ts'
import { ownSandbox } from '../../../../test/payments.ts'
import { makeSupport, type Owner } from '../../../../test/support-actions.ts'
import { ensureWebhookEndpoint } from '../webhooks/webhook-endpoint.ts'

// A separate sandbox with a webhook endpoint, because its clocks are moved.
const sandbox = await ownSandbox()
const DATA_DIR = temporaryFolder()
const made = await makeTestApp({ ...sandbox.env, DATA_DIR })
await ensureWebhookEndpoint(made.services, await made.app.listen({ port: 0, host: '127.0.0.1' }))
const support = makeSupport(made, sandbox)
const { subscriber, owing, firstInvoice, click, clicks, state } = support
const api = sandbox.api

type Click = keyof typeof clicks
type Row = {
  /** The account before support acts. */
  from: () => Promise<Owner>
  act: (owner: Owner) => Promise<unknown>
  /** The owner's subscription afterwards. */
  shows: object
  /** Status, code and charge of each next call; `preview` is the reply of the preview. */
  next: Record<Click, [number | string, number | 'preview']>
}

const update = (fields: Record<string, string>) => (owner: Owner) =>
  api('POST', `/v1/subscriptions/${owner.subscription}`, fields)
const toInvoice =
  (verb: string, fields: Record<string, string> = {}) =>
  async (owner: Owner) =>
    api('POST', `/v1/invoices/${(await firstInvoice(owner, 'open')).id}/${verb}`, fields)
const credit = (amount: string) => async (owner: Owner) =>
  api('POST', '/v1/credit_notes', { invoice: (await firstInvoice(owner, 'open')).id, amount })

const running = { status: 'active', plan: 'scale', due: null, collection_paused: null }
const ended = { status: 'canceled', plan: 'scale', due: null }
/** The card on file pays. */
const works: Row['next'] = {
  upgrade: [200, 'preview'],
  change: [200, 'preview'],
  card: [200, 0],
  free: [200, 0],
  invite: [200, 0],
}
/** The card on file is the one that did not pay. */
const settled: Row['next'] = { ...works, change: ['card_declined', 0] }
const over: Row['next'] = {
  upgrade: [200, 12_000],
  change: ['card_required', 0],
  card: [200, 0],
  free: [200, 0],
  invite: ['subscription_inactive', 0],
}
const due = (amount: number): Row['next'] => ({
  upgrade: ['payment_due', 0],
  change: ['payment_due', 0],
  card: [200, amount],
  free: [200, 0],
  invite: ['subscription_inactive', 0],
})

const rows: Record<string, Row> = {
  'deletes the customer': {
    from: () => subscriber(),
    act: ({ customer }) => api('DELETE', `/v1/customers/${customer}`),
    shows: ended,
    next: { ...over, card: ['card_unneeded', 0] },
  },
  'voids the only open invoice': {
    from: () => owing(),
    act: toInvoice('void'),
    shows: running,
    next: settled,
  },
  'writes the only open invoice off': {
    from: () => owing(),
    act: toInvoice('mark_uncollectible'),
    shows: running,
    next: settled,
  },
  'marks the only open invoice as paid': {
    from: () => owing(),
    act: toInvoice('pay', { paid_out_of_band: 'true' }),
    shows: running,
    next: settled,
  },
  'credits the open invoice whole': {
    from: () => owing(),
    act: credit('4900'),
    shows: running,
    next: settled,
  },
  'credits the open invoice in part': {
    from: () => owing(),
    act: credit('1000'),
    shows: { status: 'requires_payment_method', due: { amount: 3900, invoices: 1 } },
    next: due(3900),
  },
  'leaves two invoices open': {
    from: () => owing(2),
    act: async () => {},
    shows: { status: 'requires_payment_method', due: { amount: 9800, currency: 'usd', invoices: 2 } },
    next: due(9800),
  },
  'voids the newest of two open invoices': {
    from: () => owing(2),
    act: toInvoice('void'),
    shows: { status: 'requires_payment_method', due: { amount: 4900, invoices: 1 } },
    next: due(4900),
  },
  'cancels at once': {
    from: () => subscriber(),
    act: ({ subscription }) => api('DELETE', `/v1/subscriptions/${subscription}`),
    shows: ended,
    next: over,
  },
  'cancels at the end of the period': {
    from: () => subscriber(),
    act: update({ cancel_at_period_end: 'true' }),
    shows: { ...running, cancel_at_period_end: true },
    next: works,
  },
  'pauses collection': {
    from: () => subscriber(),
    act: update({ 'pause_collection[behavior]': 'void' }),
    shows: { ...running, collection_paused: { until: null } },
    next: { ...works, upgrade: ['collection_paused', 0], change: ['collection_paused', 0] },
  },
  'resumes collection': {
    from: () => subscriber(),
    act: async owner => {
      await update({ 'pause_collection[behavior]': 'keep_as_draft' })(owner)
      await update({ pause_collection: '' })(owner)
    },
    shows: running,
    next: works,
  },
  'changes the price': {
    from: () => subscriber(),
    act: owner => support.changePrice(owner, 'plinth_startup_month'),
    shows: { status: 'active', plan: 'startup', seat_price: 1200 },
    next: works,
  },
  'adds a second subscription': {
    from: () => subscriber(),
    act: owner => support.addSubscription(owner, 'plinth_startup_year'),
    shows: running,
    next: works,
  },
  'detaches the card': {
    from: () => subscriber(),
    act: owner => support.detachCard(owner),
    shows: running,
    next: { ...works, change: ['card_required', 0] },
  },
  'makes another card the default': {
    from: () => subscriber(),
    act: owner => support.useCard(owner, '5555555555554444'),
    shows: running,
    next: works,
  },
  'refunds the payment': {
    from: () => subscriber(),
    act: async owner => api('POST', '/v1/refunds', { payment_intent: await support.payment(owner) }),
    shows: running,
    next: works,
  },
  'wins a dispute': {
    from: () => subscriber('4000000000000259'),
    act: owner => support.endDispute(owner, 'winning_evidence'),
    shows: running,
    next: works,
  },
  'loses a dispute': {
    from: () => subscriber('4000000000000259'),
    act: owner => support.endDispute(owner, 'losing_evidence'),
    shows: running,
    next: works,
  },
}

describe.each(Object.entries(rows))('support %s', (_title, { from, act, shows, next }) => {
  it.each(Object.keys(next) as Click[])(
    // as: a row names every click
    'then the owner calls: %s',
    { timeout: 60_000 },
    async name => {
      const owner = await from()
      await act(owner)
      await support.quiet()
      expect(await state(owner)).toMatchObject(shows)
      const [answer, charge] = next[name]
      const { got, charged, previewed } = await click(owner, name)
      expect([got, charged]).toEqual([answer, charge === 'preview' ? previewed : charge])
    },
  )
})
