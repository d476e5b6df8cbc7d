import type { Contract, Reply } from '@plinth/contract'
import { api } from '../../lib/api/client.ts'
import { putAnswer, refresh } from '../../lib/api/query.ts'
import { openDialog } from '../../lib/dialog.ts'
import { clock, day } from '../../lib/i18n/format.ts'
import { type Translate, t } from '../../lib/i18n/translate.ts'
import { backupSpent } from '../../lib/session/backup-spent.ts'
import { mergeSession } from '../../lib/session/store.ts'
import { toast } from '../../ui/toast.ts'

export type TwoFactor = Reply<Contract['twoFactor']['read']>

const off: TwoFactor = { '2fa_enabled': false, enabled_at: null, has_backup_code: false }

/** The session goes on under the token that came with the proof; everything read before is read again. */
export function keepVerified(token: string): void {
  mergeSession({ token, second_factor_required: false })
  backupSpent.set(false)
  putAnswer(api.twoFactor.read, {
    '2fa_enabled': true,
    enabled_at: new Date().toISOString(),
    has_backup_code: true,
  })
}

/** Asks first. The dialog asks for the password or a code as well, if it has to. */
export function turnOff(done: () => void): void {
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
      done()
    },
  })
}

export const turnedOn = ({ enabled_at }: TwoFactor, say: Translate): string =>
  enabled_at
    ? say('two_factor.since', { date: day(enabled_at), time: clock(enabled_at) })
    : say('two_factor.switch_text')
