import type { SentInvite } from '@plinth/contract'
import { readableEmail } from '@plinth/contract/email'
import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import type { TextKey } from '../../lib/i18n/texts.ts'
import type { Translate } from '../../lib/i18n/translate.ts'
import { Icon } from '../../ui/base/Icon.tsx'
import { Inset } from '../../ui/base/Inset.tsx'

export type Outcome = { key: string; label: string; done: boolean; text: string }

const resultTexts: Record<SentInvite['result'], TextKey> = {
  sent: 'team.result.sent',
  resent: 'team.result.resent',
  created: 'team.result.created',
  already_member: 'team.result.already_member',
  permission_required: 'team.result.permission_required',
  too_many: 'team.result.too_many',
}

export type Sent = Pick<SentInvite, 'email' | 'result'>
const reached = ({ result }: Sent) => result === 'sent' || result === 'resent' || result === 'created'
export const countReached = (sent: readonly Sent[]): number => sent.filter(reached).length
export const outcomesOf = (t: Translate, sent: readonly Sent[]): Outcome[] =>
  sent.map(one => ({
    key: one.email,
    label: readableEmail(one.email),
    done: reached(one),
    text: t(resultTexts[one.result]),
  }))

export function OutcomeList({ of }: { of: readonly Outcome[] }) {
  return (
    <Inset>
      {/* Not on the list itself: the status role would replace the list role. */}
      <div role="status">
        <ul className="stack stack-2">
          {of.map(({ key, label, done, text }) => (
            <li key={key} className="row gap-2 flex-nowrap">
              <Icon of={done ? Check : Minus} className={done ? 'text-success shrink-0' : 'ink3 shrink-0'} />
              {/* An address is not broken to make room for its result; the result goes below it. */}
              <span className="grow min-w-0 flex flex-wrap justify-between gap-x-3">
                <bdi className="wrap-anywhere">{label}</bdi>
                <span className="t13 ink2">{text}</span>
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Inset>
  )
}
