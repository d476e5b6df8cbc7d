import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import { Icon } from '../../ui/Icon.tsx'
import { Well } from '../../ui/Well.tsx'

export type Outcome = { key: string; label: string; done: boolean; words: string }

/** What became of each of several. */
export function Results({ of }: { of: readonly Outcome[] }) {
  return (
    <Well>
      {/* Not on the list itself: a list that is a status is none to a screen reader. */}
      <div role="status">
        <ul className="stack stack-2">
          {of.map(({ key, label, done, words }) => (
            <li key={key} className="row gap-2 flex-nowrap">
              <Icon of={done ? Check : Minus} className={done ? 'text-success shrink-0' : 'ink3 shrink-0'} />
              <bdi className="grow wrap-anywhere">{label}</bdi>
              <span className="t13 ink2 text-end">{words}</span>
            </li>
          ))}
        </ul>
      </div>
    </Well>
  )
}
