import type { AssignableRole } from '@plinth/contract/roles'
import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { attempt } from '../../lib/api/failure.ts'
import { openDialog } from '../../lib/dialog.ts'
import { t } from '../../lib/i18n/translate.ts'
import { refreshBilling } from '../billing/shared/refresh-billing.ts'
import { SeatCost } from './SeatCost.tsx'
import { shownSeatQuote } from './seat-quote.ts'
import { refreshTeam } from './team-actions.ts'
import type { TeamRow } from './team-row.ts'

type Invited = Extract<TeamRow, { kind: 'invite' }>

/** An expired invite holds no seat, so sending it again can cost one: the price is shown first. */
export async function resendInvite(row: Invited): Promise<void> {
  if (!row.expired || !shownSeatQuote()?.quote?.amount) {
    if (await attempt(inviteAgain(row.email, row.permission))) refreshTeam()
    return
  }
  openDialog({
    title: t('team.resend.title', { email: row.email }),
    description: (
      <div className="stack stack-3">
        <p>{t('team.resend.text')}</p>
        <SeatCost seats={1} />
      </div>
    ),
    buttonText: t('team.action.resend'),
    call: () => inviteAgain(row.email, row.permission),
    callback: refreshTeam,
  })
}

/** Sends an invite again at the price on the screen. Refuses while an owner sees no price. */
export async function inviteAgain(email: string, permission: AssignableRole) {
  const shown = shownSeatQuote()
  if (!shown) {
    refreshBilling()
    throw new ApiError(409, t('team.seats.failed'), { code: 'price_unknown' })
  }
  try {
    return await api.team.invite({ body: { email, permission, ...shown }, key: crypto.randomUUID() })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'price_changed') refreshBilling()
    throw error
  }
}
