import { money, percent } from '../../../lib/i18n/format.ts'
import type { Translate } from '../../../lib/i18n/translate.ts'
import { custom } from '../../../lib/inputs/more-inputs.tsx'
import { noCode, PromotionCodeField, promotionCodeOf } from './PromotionCodeField.tsx'
import type { PlanPrice, Preview } from './use-price.ts'

type Options = {
  price: PlanPrice
  /** Mentions that the code replaces a discount that the subscription may have. */
  replaces?: boolean
}

/** Only an applied code is sent, so that the user has seen its price before paying. */
export function promotionCodeInput({ price, replaces = false }: Options, t: Translate) {
  const { data } = price.preview
  const promotion = price.hasCode ? data?.promotion : undefined
  return custom({
    label: t('billing.code.label'),
    value: noCode,
    quiet: true,
    check: value => {
      const { typed, applied } = promotionCodeOf(value)
      if (typed.trim() !== applied) return t('billing.code.apply_first')
      return (applied && price.codeRefusal) || null
    },
    send: value => promotionCodeOf(value).applied || undefined,
    render: control => (
      <PromotionCodeField
        control={control}
        refusal={price.codeRefusal}
        discount={promotion ? discountText(promotion, data?.currency ?? '', t) : undefined}
        help={replaces ? t('billing.code.replaces') : undefined}
        loading={price.hasCode && !data && !price.preview.failed}
        retry={price.retryCode}
      />
    ),
  })
}

function discountText(promotion: NonNullable<Preview['promotion']>, currency: string, t: Translate): string {
  const { percent_off, amount_off, duration, months } = promotion
  const off = percent_off === null ? money(amount_off ?? 0, currency) : percent(percent_off)
  if (duration === 'repeating') return t('billing.code.months', { off, count: months ?? 1 })
  return t(duration === 'once' ? 'billing.code.once' : 'billing.code.forever', { off })
}
