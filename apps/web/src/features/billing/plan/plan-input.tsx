import type { Translate } from '../../../lib/i18n/translate.ts'
import { custom } from '../../../lib/inputs/more-inputs.tsx'
import { Badge } from '../../../ui/base/Badge.tsx'
import { type PlanOption, PlanPicker } from '../../../ui/form/PlanPicker.tsx'
import { type Plan, planOptions } from '../price/plan-texts.ts'

/** The plan picker as a form input. @param current the plan that is marked as current */
export function planInput(
  plans: readonly Plan[],
  value: string | undefined,
  t: Translate,
  current: string | null = null,
) {
  const mark = (option: PlanOption): PlanOption =>
    option.value === current ? { ...option, badge: <Badge>{t('billing.change.current')}</Badge> } : option
  return custom({
    label: t('billing.plan.label'),
    value: value ?? '',
    required: true,
    messages: { required: t('billing.plan.required') },
    render: control => (
      <PlanPicker
        legend={control.label}
        name={control.name}
        options={planOptions(plans, t).map(mark)}
        value={String(control.value)}
        onChange={control.onChange}
        disabled={control.disabled}
        error={control.error}
      />
    ),
  })
}
