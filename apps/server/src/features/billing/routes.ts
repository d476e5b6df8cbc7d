import { contract } from '@plinth/contract'
import { mount, type Server } from '../../endpoint/mount.ts'
import { readCard } from './card.ts'
import { changePlan, upgrade } from './change-plan.ts'
import { choosePlan } from './choose-plan.ts'
import { webhookPath } from './endpoint.ts'
import { listInvoices } from './invoices.ts'
import { receiveNotice } from './notices.ts'
import { previewPlan } from './preview.ts'
import { replaceCard } from './replace-card.ts'
import { listPlans, readSubscription } from './service.ts'
import { forVisitor } from './trouble.ts'
import { readUpcoming } from './upcoming.ts'
import { readUsage } from './usage.ts'

/** The largest message the provider may send: an invoice with many lines. */
const noticeLimit = 512 * 1024

export function billingRoutes(server: Server) {
  mount(server, contract.billing, {
    plans: ctx => listPlans(ctx),
    choosePlan: (ctx, { body }) => forVisitor(ctx, () => choosePlan(ctx, body)),
    subscription: ctx => forVisitor(ctx, () => readSubscription(ctx)),
    previewPlan: (ctx, { query }) => forVisitor(ctx, () => previewPlan(ctx, query)),
    changePlan: (ctx, { body }) => forVisitor(ctx, () => changePlan(ctx, body)),
    upgrade: (ctx, { body }) => forVisitor(ctx, () => upgrade(ctx, body)),
    card: ctx => forVisitor(ctx, () => readCard(ctx)),
    replaceCard: (ctx, { body }) => forVisitor(ctx, () => replaceCard(ctx, body)),
    invoices: (ctx, { query }) => forVisitor(ctx, () => listInvoices(ctx, query)),
    upcoming: ctx => forVisitor(ctx, () => readUpcoming(ctx)),
    usage: ctx => readUsage(ctx),
  })
  // In a scope of its own, where bodies stay bytes: the signature is over them, not over what they parse to.
  server.app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
    scope.post(webhookPath, { bodyLimit: noticeLimit }, request => {
      const signature = request.headers['stripe-signature']
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      return receiveNotice(server.services, raw, typeof signature === 'string' ? signature : '')
    })
  })
}
