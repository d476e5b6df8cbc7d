import Check from 'lucide-react/icons/check'
import type { ReactNode } from 'react'
import { Icon } from '../base/Icon.tsx'
import { Brand } from '../base/Logo.tsx'
import './onboarding.css'

export interface OnboardingStep {
  key: string
  title: string
  text?: string
  done?: boolean
}

export interface OnboardingLayoutProps {
  brand: string
  brandHref: string
  steps: readonly OnboardingStep[]
  /** Starts at 0. */
  current: number
  onStep: (index: number) => void
  /** Shown in the side bar on phones and above the step elsewhere. */
  skip?: ReactNode
  note?: ReactNode
  previous?: ReactNode
  next: ReactNode
  labels: { steps: string; progress: (step: number, of: number) => string }
  children: ReactNode
}

export function OnboardingLayout(props: OnboardingLayoutProps) {
  const { brand, brandHref, steps, current, onStep, skip, note, previous, next, labels, children } = props
  return (
    <div className="onb">
      <aside className="onb__side">
        <Brand name={brand} href={brandHref} size={24} />
        <nav className="steps" aria-label={labels.steps}>
          {steps.map((step, index) => (
            <StepButton
              key={step.key}
              step={step}
              number={index + 1}
              current={index === current}
              onPress={() => onStep(index)}
            />
          ))}
        </nav>
        <div className="grow onb__note" />
        {note && <p className="t13 ink3 onb__note">{note}</p>}
        <div className="hide-d">{skip}</div>
      </aside>
      <div className="onb__main">
        <div className="onb__top hide-m">{skip}</div>
        <main className="onb__body">{children}</main>
        <footer className="onb__foot">
          <div className="onb__end">{previous}</div>
          <Dots count={steps.length} current={current} label={labels.progress(current + 1, steps.length)} />
          <div className="onb__end">{next}</div>
        </footer>
      </div>
    </div>
  )
}

interface StepProps {
  step: OnboardingStep
  number: number
  current: boolean
  onPress: () => void
}

export function StepButton({ step, number, current, onPress }: StepProps) {
  return (
    <button
      type="button"
      className={step.done && !current ? 'step step--done' : 'step'}
      aria-current={current ? 'step' : undefined}
      onClick={onPress}
    >
      <span className="step__n">{step.done && !current ? <Icon of={Check} size={12} /> : number}</span>
      <span>
        <span className="med">{step.title}</span>
        {step.text && <small>{step.text}</small>}
      </span>
    </button>
  )
}

export function Dots({ count, current, label }: { count: number; current: number; label: string }) {
  return (
    <div className="dots" role="img" aria-label={label}>
      {Array.from({ length: count }, (_, index) => index).map(index => (
        <i key={index} className={index === current ? 'on' : undefined} />
      ))}
    </div>
  )
}
