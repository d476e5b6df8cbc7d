import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { replaceCard } from './card/replace-card.ts'
import { readCard } from './core/saved-card.ts'
import { listInvoices } from './invoices/list-invoices.ts'
import { readUpcoming } from './invoices/upcoming.ts'
import { previewPlan } from './prices/preview.ts'
import { changePlan, upgrade } from './purchase/change-plan.ts'
import { choosePlan } from './purchase/choose-plan.ts'
import { withRequestDeadline } from './request-deadline.ts'
import { listPlans, readSubscription } from './service.ts'
import { readUsage } from './usage/usage.ts'
import { webhookPath } from './webhooks/webhook-endpoint.ts'
import { receiveWebhook } from './webhooks/webhooks.ts'

/** The largest webhook: an invoice with many lines. */
const webhookBodyLimit = 512 * 1024

export function billingRoutes(server: Server) {
  mount(server, contract.billing, {
    plans: ctx => listPlans(ctx),
    choosePlan: (ctx, { body }) => withRequestDeadline(ctx, () => choosePlan(ctx, body)),
    subscription: ctx => withRequestDeadline(ctx, () => readSubscription(ctx)),
    previewPlan: (ctx, { query }) => withRequestDeadline(ctx, () => previewPlan(ctx, query)),
    changePlan: (ctx, { body }) => withRequestDeadline(ctx, () => changePlan(ctx, body)),
    upgrade: (ctx, { body }) => withRequestDeadline(ctx, () => upgrade(ctx, body)),
    card: ctx => withRequestDeadline(ctx, () => readCard(ctx)),
    replaceCard: (ctx, { body }) => withRequestDeadline(ctx, () => replaceCard(ctx, body)),
    invoices: (ctx, { query }) => withRequestDeadline(ctx, () => listInvoices(ctx, query)),
    upcoming: (ctx, { query }) => withRequestDeadline(ctx, () => readUpcoming(ctx, query)),
    usage: ctx => readUsage(ctx),
  })
  // A separate scope keeps the body as bytes, because the signature covers them.
  server.app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
    scope.post(webhookPath, { bodyLimit: webhookBodyLimit }, request => {
      const signature = request.headers['stripe-signature']
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      return receiveWebhook(server.services, raw, typeof signature === 'string' ? signature : '')
    })
  })
}
