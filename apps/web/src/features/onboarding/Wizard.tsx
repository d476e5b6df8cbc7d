import { useRef, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { attempt } from '../../lib/api/failure.ts'
import { openDialog } from '../../lib/dialog.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { navigate, useQueryValue } from '../../lib/navigate.ts'
import { paths, withQuery } from '../../lib/paths.ts'
import { mergeSession, useSignedIn } from '../../lib/session/store.ts'
import { Slot } from '../../lib/slots.tsx'
import { Button } from '../../ui/base/Button.tsx'
import { EmptyState } from '../../ui/base/EmptyState.tsx'
import { Dots, StepButton } from '../../ui/layout/Onboarding.tsx'
import { track } from '../events/track.ts'
import { unsentInvites } from '../team/InviteForm.tsx'
import { dropProgress, keepProgress, readProgress } from './progress.ts'
import { StepContent } from './StepContent.tsx'
import { stepAt, stepsOf } from './steps.ts'

/** One step per page. The page is in the URL; without it, the last step that was reached opens. */
export function Wizard({ duplicate, account }: { duplicate: boolean; account: string }) {
  const t = useT()
  const { permission } = useSignedIn()
  const steps = stepsOf({ permission, duplicate })
  // Read once: otherwise Back to the URL without a page would show the current step again.
  const [reached] = useState(() => readProgress(account).page)
  const { step, index } = stepAt(steps, useQueryValue('page'), reached)
  const moved = useRef(false)

  function goToStep(to: number): void {
    moved.current = true
    keepProgress(account, { page: to + 1 })
    navigate(withQuery(paths.welcome, { page: String(to + 1) }))
  }

  async function finish(): Promise<void> {
    if (!(await attempt(api.profile.update({ body: { onboarded: true } })))) return
    dropProgress(account)
    mergeSession({ onboarded: true })
    navigate(paths.dashboard, { replace: true })
  }

  function finishOrAsk(): Promise<void> | undefined {
    const count = step?.key === 'invite' ? unsentInvites() : 0
    if (count === 0) return finish()
    openDialog({
      title: t('onboarding.unsent.title', { count }),
      description: t('onboarding.unsent.text'),
      buttonText: t('onboarding.unsent.button'),
      callback: finish,
    })
    return undefined
  }

  function skip(): Promise<void> {
    track('cancelled_onboarding', { step: step?.key ?? null })
    return finish()
  }

  return (
    <>
      <Slot name="steps">
        {steps.map((one, place) => (
          <StepButton
            key={one.key}
            step={{
              key: one.key,
              title: t(one.title),
              text: t(one.text),
              done: step !== undefined && place < index,
            }}
            number={place + 1}
            current={place === index}
            onPress={() => goToStep(place)}
          />
        ))}
      </Slot>
      <Slot name="skip">
        <Button variant="ghost" onClick={skip}>
          {t('onboarding.skip')}
        </Button>
      </Slot>
      {step ? (
        <StepContent key={step.key} step={step} account={account} focus={moved.current} />
      ) : (
        <>
          <h1 className="sr">{t('onboarding.title')}</h1>
          <EmptyState
            title={t('onboarding.empty')}
            action={<Button onClick={() => goToStep(0)}>{t('onboarding.start')}</Button>}
          />
        </>
      )}
      {step && (
        <Slot name="pagination">
          <div className="onb__end">
            {index > 0 && <Button onClick={() => goToStep(index - 1)}>{t('onboarding.prev')}</Button>}
          </div>
          <Dots
            count={steps.length}
            current={index}
            label={t('onboarding.progress', { step: index + 1, of: steps.length })}
          />
          <div className="onb__end">
            {index < steps.length - 1 ? (
              <Button variant="primary" onClick={() => goToStep(index + 1)}>
                {t('onboarding.next')}
              </Button>
            ) : (
              <Button variant="primary" onClick={finishOrAsk}>
                {t('onboarding.finish')}
              </Button>
            )}
          </div>
        </Slot>
      )}
    </>
  )
}
