import { useT } from '../../../lib/i18n/translate.ts'
import { useQueryValue } from '../../../lib/navigate.ts'
import { paths, withQuery } from '../../../lib/paths.ts'
import { ButtonLink } from '../../../ui/base/Button.tsx'
import type { Plan } from '../price/plan-texts.ts'
import { setChosenPlan } from '../shared/tabs.ts'
import { ChoicePanel, PayPanel, twoPanels } from './ChangePlanPanels.tsx'

type Props = { plans: readonly Plan[]; plan: Plan }

/** Plan selection on the free plan. The upgrade page takes the card and the payment. */
export function ChooseUpgrade({ plans, plan }: Props) {
  const t = useT()
  const wanted = useQueryValue('plan')
  const chosen = plans.find(({ id }) => id === wanted) ?? plan
  return (
    <div className={twoPanels}>
      <ChoicePanel plans={plans} plan={plan} value={chosen.id} onChange={setChosenPlan} />
      <PayPanel>
        {chosen.id === plan.id ? (
          <p className="ink2">{t('billing.change.same')}</p>
        ) : (
          <>
            <p className="ink2">{t('billing.change.upgrade_text')}</p>
            <ButtonLink
              variant="primary"
              block
              className="py-1.5 whitespace-normal"
              href={withQuery(paths.upgrade, { plan: chosen.id })}
            >
              {t('billing.change.upgrade', { plan: chosen.name })}
            </ButtonLink>
          </>
        )}
      </PayPanel>
    </div>
  )
}
