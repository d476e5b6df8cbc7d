import type { HandlerInput, PlanPreview } from '@plinth/contract'
import type { billing } from '@plinth/contract/endpoints/billing'
import { isPlanId, type PlanId, planOf } from '@plinth/contract/plans'
import type { AuthedContext } from '../../../context.ts'
import {
  isPaymentsError,
  isPromotionRefused,
  type Preview,
  type Promotion,
} from '../../../integrations/stripe/payments.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { readApiKeyAllowance } from '../../api-keys/service.ts'
import { mapUnavailable } from '../core/provider-errors.ts'
import { type PriceOf, priceNames } from './catalogue.ts'
import { type PricedChange, type Pricing, pricePlan } from './price-plan.ts'
import {
  consumePromotionLimit,
  describePromotion,
  findPromotion,
  type Purpose,
  promotionRefusal,
} from './promotion.ts'

type Input = HandlerInput<(typeof billing)['previewPlan']>['query']

/** Previews the cost of a first plan or a plan change. */
export async function previewPlan(ctx: AuthedContext, asked: Input): Promise<PlanPreview> {
  await consumePromotionLimit(ctx, asked.promotion_code)
  return mapUnavailable(ctx, () => quotePlan(ctx, asked))
}

/** The same for a caller that has consumed the rate limit of promotion codes. */
async function quotePlan(ctx: AuthedContext, { plan, promotion_code: code }: Input): Promise<PlanPreview> {
  const pricing = await mapRejected(
    ctx,
    pricePlan(ctx, ctx.actor.account_id, {
      plan,
      findPromotion: async purpose => (code ? await promotionFor(ctx, code, purpose) : null),
    }),
  )
  if (!pricing) throw new Refusal('payment_due', { field: 'plan' })
  return describe(ctx, pricing)
}

/** Runs a call that pays for a plan. When the price has changed, the refusal carries the new preview. */
export async function withNewPlanQuote<T>(
  ctx: AuthedContext,
  asked: NewQuote,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'price_changed') throw error
    const promotion_code = asked.promotion_code ?? undefined
    const data = await mapUnavailable(ctx, () => quotePlan(ctx, { plan: asked.plan, promotion_code }))
    throw new Refusal('price_changed', { data })
  }
}

type NewQuote = { plan: PlanId; promotion_code?: string | null | undefined }

async function describe(ctx: AuthedContext, pricing: Pricing): Promise<PlanPreview> {
  const { plan, when, discount, tax, due_now, credit, next_amount, currency, quote } = pricing
  const { next_date, proration_date, promotion } = pricing
  return {
    ...{ plan, when, discount, tax, due_now, credit, next_amount, currency, quote },
    lines: await linesOf(ctx, pricing),
    over: await overOf(ctx, pricing),
    next_date: next_date?.toISOString() ?? null,
    proration_date: proration_date && proration_date.getTime() / 1000,
    promotion: promotion && describePromotion(promotion),
  }
}

async function overOf(ctx: AuthedContext, { plan, members }: Pricing): Promise<PlanPreview['over']> {
  const { users, api_keys } = planOf(plan).entitlements
  const keys = (await readApiKeyAllowance(ctx)).used
  const found = [
    { what: 'users' as const, used: members, limit: users },
    { what: 'api_keys' as const, used: keys, limit: api_keys },
  ]
  return found.flatMap(({ limit, ...one }) => (limit !== null && one.used > limit ? [{ ...one, limit }] : []))
}

/** Finds the promotion of a code; refuses a code that does not apply. */
async function promotionFor(ctx: AuthedContext, code: string, purpose: Purpose): Promise<Promotion> {
  const found = await findPromotion(ctx, code, purpose)
  if (typeof found === 'string') throw promotionRefusal(found)
  return found
}

/** Maps rejections of the provider. Clears the price cache, because an outdated price may be the reason. */
function mapRejected<T>(ctx: AuthedContext, preview: Promise<T>): Promise<T> {
  return preview.catch(error => {
    if (isPromotionRefused(error)) throw promotionRefusal('promotion_code_unfit')
    if (!isPaymentsError(error, 'missing', 'rejected')) throw error
    ctx.log.error({ err: error }, 'the payment provider rejected a preview')
    ctx.integrations.payments.clearPriceCache()
    throw new Refusal('payment_provider_down', { retryAfter: 5 })
  })
}

async function linesOf(ctx: AuthedContext, pricing: Pricing): Promise<PlanPreview['lines']> {
  const { invoice, change, plan } = pricing
  if (!invoice) return []
  const names = change && (await priceNames(ctx))
  // A first invoice hides metered prices without usage.
  const lines = change ? invoice.lines : invoice.lines.filter(({ amount }) => amount !== 0)
  return lines.map(line => ({
    text:
      change && names
        ? lineText(ctx, line, { ...change, plan, names })
        : periodText(ctx, plan, line.quantity),
    amount: line.amount,
    proration: line.proration,
  }))
}

const periodText = (ctx: AuthedContext, id: PlanId, seats: number): string => {
  const plan = ctx.t(`plans.${id}`)
  return planOf(id).type === 'per_seat' ? ctx.t('preview.seats', { plan, seats }) : plan
}

/**
 * The text of a line in the caller's language. A line about an unknown price keeps the provider's text; an
 * earlier change may have left lines of a third plan.
 */
function lineText(
  ctx: AuthedContext,
  line: Preview['lines'][number],
  { plan, from, running, change, names }: PricedChange & { plan: PlanId; names: Map<string, PriceOf> },
): string {
  const old = running.items.find(item => item.price === line.price)
  const isNew = change.items.some(item => item.price === line.price)
  const other = names.get(line.price ?? '')
  const subject = isNew ? plan : old && isPlanId(from) ? from : other?.plan
  if (!subject) return line.text
  const name = ctx.t(`plans.${subject}`)
  if (old?.metered || other?.metered || (isNew && line.price !== change.items[0]?.price))
    return ctx.t('preview.usage', { plan: name })
  if (!line.proration) return periodText(ctx, subject, line.quantity)
  return ctx.t(line.amount < 0 ? 'preview.unused' : 'preview.rest', { plan: name })
}
