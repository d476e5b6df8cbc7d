import type { RefusalCode } from '@plinth/contract/refusals'
import type { Services } from '../../../context.ts'
import type { Attempt } from '../core/attempt-store.ts'

/** State of an attempt after a run. `action`: the bank asks the cardholder. `pending`: the provider is still working. */
export type Outcome =
  | { kind: 'done'; status: string }
  | { kind: 'action'; client_secret: string; confirms: 'payment' | 'setup' }
  | { kind: 'refused'; code: RefusalCode }
  | { kind: 'pending' }

export type Run = {
  /** False in the settle job: the caller already got a refusal, so no new charge may start. */
  charging: boolean
  /** The provider was asked for the new plan in this run. */
  moved: boolean
  /** The bank approved the trial card in this run. */
  confirmed: boolean
}

/** Either the run ends with an outcome, or the next step continues with the updated attempt. */
export type StepResult =
  | { outcome: Outcome }
  | ({ attempt: Attempt } & Partial<Pick<Run, 'moved' | 'confirmed'>>)

/** One kind of attempt: first plan, plan change or card change. */
export type AttemptKind = {
  /** Runs once before the steps. */
  prepare(services: Services, attempt: Attempt, run: Run): Promise<StepResult>
  step(services: Services, attempt: Attempt, run: Run): Promise<StepResult>
}
