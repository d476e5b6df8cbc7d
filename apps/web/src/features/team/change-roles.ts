import type { AssignableRole } from '@plinth/contract/roles'
import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { handleFailure } from '../../lib/api/failure.ts'
import { t } from '../../lib/i18n/translate.ts'
import type { Outcome } from './OutcomeList.tsx'
import { inviteAgain } from './resend-invite.tsx'
import { labelOf, roleNames, type TeamRow } from './team-row.ts'

type RowResult = Pick<Outcome, 'done' | 'text'>

/** Changes one row after the other and reports each result. Stops at an error that concerns all rows. */
export async function changeRoles(rows: readonly TeamRow[], role: AssignableRole): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let stopped = false
  for (const row of rows) {
    const result = stopped ? unchanged() : await changeRole(row, role)
    if (result.stops) stopped = true
    outcomes.push({ key: row.id, label: labelOf(row), done: result.done, text: result.text })
  }
  return outcomes
}

const unchanged = (): RowResult & { stops?: boolean } => ({
  done: false,
  text: t('team.roles_changed.left'),
})

async function changeRole(row: TeamRow, role: AssignableRole): Promise<RowResult & { stops?: boolean }> {
  const name = t(roleNames[role])
  if (row.permission === role) return { done: true, text: t('team.roles_changed.same', { role: name }) }
  try {
    if (row.kind === 'user') await api.profile.update({ body: { id: row.id, permission: role } })
    // The role is part of an invite's link, so a new role needs a new link.
    else await inviteAgain(row.email, role)
    return {
      done: true,
      text: t(row.kind === 'user' ? 'team.roles_changed.now' : 'team.result.resent', { role: name }),
    }
  } catch (error) {
    if (!isRowError(error)) {
      handleFailure(error)
      return { ...unchanged(), stops: true }
    }
    return { done: false, text: error.status === 404 ? t('team.action.gone') : error.message }
  }
}

const rowErrorStatuses = new Set([403, 404, 409, 422])

/** True for an error about one row. Any other error would repeat for the next row. */
export const isRowError = (error: unknown): error is ApiError =>
  error instanceof ApiError && rowErrorStatuses.has(error.status)
