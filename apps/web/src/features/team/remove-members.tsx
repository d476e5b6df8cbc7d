import { api } from '../../lib/api/client.ts'
import { handleFailure } from '../../lib/api/failure.ts'
import { openDialog } from '../../lib/dialog.ts'
import { list } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/translate.ts'
import { toast } from '../../ui/overlay/toast.ts'
import { isRowError } from './change-roles.ts'
import { SeatSavings } from './SeatCost.tsx'
import { ignoreMissing, refreshTeam } from './team-actions.ts'
import { labelOf, type TeamRow } from './team-row.ts'

type User = Extract<TeamRow, { kind: 'user' }>

/** The text, and below it the effect on the price. */
const withPrice = (text: string, seats: number, left = 0) => (
  <div className="stack stack-3">
    <p>{text}</p>
    {left > 0 && <p>{t('team.remove.left', { count: left })}</p>}
    <SeatSavings seats={seats} />
  </div>
)

export function askRemove(row: User, account: string): void {
  openDialog({
    title: t('team.remove.title', { name: row.name }),
    description: withPrice(t('team.remove.text', { account, email: row.email }), 1),
    buttonText: t('team.remove.button'),
    danger: true,
    call: () => ignoreMissing(api.team.remove({ params: { id: row.id } })),
    callback: refreshTeam,
  })
}

/**
 * Removes one row after the other and reports each error. Stops at an error that concerns all rows.
 * @param left how many selected rows can't be deleted
 */
export function askRemoveAll(
  rows: readonly TeamRow[],
  left: number,
  account: string,
  done: () => void,
): void {
  openDialog({
    title: t('team.remove.several', { count: rows.length }),
    description: withPrice(
      t('team.remove.several_text', { account, names: rows.map(labelOf).join(', ') }),
      // An invite holds a seat, but the seat is not paid.
      rows.filter(({ kind }) => kind === 'user').length,
      left,
    ),
    buttonText: t('team.remove.several_button', { count: rows.length }),
    danger: true,
    async callback() {
      const removed: TeamRow[] = []
      for (const row of rows) {
        try {
          await removeOne(row)
          removed.push(row)
        } catch (error) {
          handleFailure(error)
          if (!isRowError(error)) break
        }
      }
      if (removed.length)
        toast({ variant: 'success', title: t('team.remove.several_done', { what: countsOf(removed) }) })
      done()
      refreshTeam()
    },
  })
}

/** "3 users, 1 invite", without a part that is zero. */
function countsOf(rows: readonly TeamRow[]): string {
  const users = rows.filter(({ kind }) => kind === 'user').length
  const invites = rows.length - users
  return list([
    ...(users ? [t('team.remove.users', { count: users })] : []),
    ...(invites ? [t('team.remove.invites', { count: invites })] : []),
  ])
}

const removeOne = ({ kind, id }: TeamRow) =>
  ignoreMissing<object>(
    kind === 'user' ? api.team.remove({ params: { id } }) : api.team.withdraw({ params: { id } }),
  )
