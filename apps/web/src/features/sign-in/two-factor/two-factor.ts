import type { Contract, Reply } from '@plinth/contract'
import { api } from '../../../lib/api/client.ts'
import { changeAnswer, putAnswer, refresh } from '../../../lib/data/query.ts'
import { openDialog } from '../../../lib/dialog.ts'
import { clock, day } from '../../../lib/i18n/format.ts'
import { type Translate, t } from '../../../lib/i18n/translate.ts'
import { backupSpent } from '../../../lib/session/backup-spent.ts'
import { createOneTimeSecret } from '../../../lib/session/one-time-secret.ts'
import { mergeSession } from '../../../lib/session/store.ts'
import { attemptWithStepUp } from '../../../lib/step-up/with-step-up.ts'
import { toast } from '../../../ui/overlay/toast.ts'

export type TwoFactor = Reply<Contract['twoFactor']['read']>

const off: TwoFactor = { '2fa_enabled': false, enabled_at: null, has_backup_code: false }

/** The new backup code. It survives Back, until the user confirms that it is saved. */
export const newBackupCode = createOneTimeSecret<string>()

/** Asks for a step-up if the sign-in is old. */
export async function renewBackupCode(): Promise<void> {
  const renewed = await attemptWithStepUp(proof => api.twoFactor.renewBackupCode({ body: { ...proof } }))
  if (!renewed) return
  backupSpent.set(false)
  changeAnswer(api.twoFactor.read, now => ({ ...now, has_backup_code: true }))
  newBackupCode.set(renewed.backup_code)
}

/** Stores the new token of the session; answers to the old token are refetched. */
export function keepVerified(token: string): void {
  mergeSession({ token, second_factor_required: false })
  backupSpent.set(false)
  putAnswer(api.twoFactor.read, {
    '2fa_enabled': true,
    enabled_at: new Date().toISOString(),
    has_backup_code: true,
  })
}

/** Asks for a confirmation, and for the password or a code if the server requires one. */
export function confirmTurnOff(): void {
  openDialog({
    title: t('two_factor.off_title'),
    description: t('two_factor.off_text'),
    buttonText: t('two_factor.off_button'),
    danger: true,
    call: ({ body }) => api.twoFactor.change({ body: { ...body, '2fa_enabled': false } }),
    callback() {
      putAnswer(api.twoFactor.read, off)
      refresh(api.profile.read)
      toast({ variant: 'success', title: t('two_factor.off_done') })
    },
  })
}

export const turnedOnText = ({ enabled_at }: TwoFactor, say: Translate): string =>
  enabled_at
    ? say('two_factor.since', { date: day(enabled_at), time: clock(enabled_at) })
    : say('two_factor.switch_text')
