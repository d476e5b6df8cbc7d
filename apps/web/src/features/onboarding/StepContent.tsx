import ChartLine from 'lucide-react/icons/chart-line'
import CreditCard from 'lucide-react/icons/credit-card'
import Users from 'lucide-react/icons/users'
import { type ReactNode, useState } from 'react'
import { useT } from '../../lib/i18n/translate.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { Icon, type IconType } from '../../ui/base/Icon.tsx'
import { InviteForm } from '../team/InviteForm.tsx'
import { countReached, OutcomeList, outcomesOf, type Sent } from '../team/OutcomeList.tsx'
import { keepProgress, readProgress } from './progress.ts'
import type { Step } from './steps.ts'

/** @param focus whether the heading takes the focus: no page load announces a change of steps */
export function StepContent({ step, account, focus }: { step: Step; account: string; focus: boolean }) {
  if (step.key === 'duplicate') return <Duplicate focus={focus} />
  return step.key === 'invite' ? <Invite account={account} focus={focus} /> : <Welcome focus={focus} />
}

function StepHeader({ title, children, focus }: { title: string; children: ReactNode; focus: boolean }) {
  return (
    <div className="auth__head">
      <h1 className="t20 outline-0" tabIndex={-1} ref={heading => (focus ? heading?.focus() : undefined)}>
        {title}
      </h1>
      <p className="ink2">{children}</p>
    </div>
  )
}

function Duplicate({ focus }: { focus: boolean }) {
  const t = useT()
  return (
    <>
      <StepHeader title={t('onboarding.duplicate.title')} focus={focus}>
        {t('onboarding.duplicate.text')}
      </StepHeader>
      <Alert tone="warning" title={t('onboarding.duplicate.warning')}>
        {t('onboarding.duplicate.warning_text')}
      </Alert>
    </>
  )
}

function Welcome({ focus }: { focus: boolean }) {
  const t = useT()
  const { name } = useSignedIn()
  return (
    <>
      <StepHeader title={t('onboarding.welcome.title', { name: name.split(' ')[0] ?? name })} focus={focus}>
        {t('onboarding.welcome.text')}
      </StepHeader>
      <ul className="stack stack-5">
        <Point icon={ChartLine} title={t('onboarding.welcome.figures')}>
          {t('onboarding.welcome.figures_text')}
        </Point>
        <Point icon={Users} title={t('onboarding.welcome.people')}>
          {t('onboarding.welcome.people_text')}
        </Point>
        <Point icon={CreditCard} title={t('onboarding.welcome.billing')}>
          {t('onboarding.welcome.billing_text')}
        </Point>
      </ul>
    </>
  )
}

function Point({ icon, title, children }: { icon: IconType; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <Icon of={icon} size={20} className="mt-0.5 flex-none text-ink-3" />
      <span>
        <span className="med block">{title}</span>
        <span className="ink2">{children}</span>
      </span>
    </li>
  )
}

function Invite({ account, focus }: { account: string; focus: boolean }) {
  const t = useT()
  const [sent, setSent] = useState<readonly Sent[]>(() =>
    readProgress(account).invited.map(email => ({ email, result: 'sent' })),
  )
  const count = countReached(sent)

  /** A repeated invite replaces the earlier result of its address. */
  function addResults(more: readonly Sent[]): void {
    const all = [...sent.filter(one => more.every(({ email }) => email !== one.email)), ...more]
    setSent(all)
    const invited = all.filter(one => countReached([one]) > 0).map(({ email }) => email)
    keepProgress(account, { invited })
  }

  return (
    <>
      <StepHeader title={t('onboarding.invite.title')} focus={focus}>
        {t('onboarding.invite.text')}
      </StepHeader>
      {sent.length > 0 && (
        <div className="stack stack-2">
          {count > 0 && <h2 className="t14 semi">{t('onboarding.invite.sent', { count })}</h2>}
          <OutcomeList of={outcomesOf(t, sent)} />
        </div>
      )}
      <InviteForm onSent={addResults} />
    </>
  )
}
