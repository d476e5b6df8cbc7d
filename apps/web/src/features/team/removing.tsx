import { api } from '../../lib/api/client.ts'
import { handleFailure } from '../../lib/api/failure.ts'
import { openDialog } from '../../lib/dialog.ts'
import { list } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/translate.ts'
import { toast } from '../../ui/overlay/toast.ts'
import { orGone, read } from './actions.ts'
import { concernsOne } from './change-roles.ts'
import { SeatRelief } from './SeatCost.tsx'
import { labelOf, type TeamRow } from './team.ts'

type User = Extract<TeamRow, { kind: 'user' }>

/** The text, and below it the effect on the price. */
const withPrice = (text: string, seats: number, left = 0) => (
  <div className="stack stack-3">
    <p>{text}</p>
    {left > 0 && <p>{t('team.remove.left', { count: left })}</p>}
    <SeatRelief seats={seats} />
  </div>
)

export function askRemove(row: User, account: string): void {
  openDialog({
    title: t('team.remove.title', { name: row.name }),
    description: withPrice(t('team.remove.text', { account, email: row.email }), 1),
    buttonText: t('team.remove.button'),
    danger: true,
    call: () => orGone(api.team.remove({ params: { id: row.id } })),
    callback: read,
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
      const gone: TeamRow[] = []
      for (const row of rows) {
        try {
          await removeOne(row)
          gone.push(row)
        } catch (error) {
          handleFailure(error)
          if (!concernsOne(error)) break
        }
      }
      if (gone.length)
        toast({ variant: 'success', title: t('team.remove.several_done', { what: namedOf(gone) }) })
      done()
      read()
    },
  })
}

/** "3 users, 1 invite", without a part that is zero. */
function namedOf(rows: readonly TeamRow[]): string {
  const users = rows.filter(({ kind }) => kind === 'user').length
  const invites = rows.length - users
  return list([
    ...(users ? [t('team.remove.users', { count: users })] : []),
    ...(invites ? [t('team.remove.invites', { count: invites })] : []),
  ])
}

const removeOne = ({ kind, id }: TeamRow) =>
  orGone<object>(
    kind === 'user' ? api.team.remove({ params: { id } }) : api.team.withdraw({ params: { id } }),
  )
