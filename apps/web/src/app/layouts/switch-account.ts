import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { handleFailure } from '../../lib/api/failure.ts'
import { t } from '../../lib/i18n/translate.ts'
import { withOverlay } from '../../lib/loading.ts'
import { checkSession } from '../../lib/session/check.ts'
import { completeSignIn } from '../../lib/session/complete-sign-in.ts'
import { toast } from '../../ui/overlay/toast.ts'

/** Switches to another of the user's accounts and opens its first screen. */
export async function switchTo(account: string): Promise<void> {
  try {
    const { data } = await withOverlay(api.auth.switchAccount({ body: { account } }))
    await withOverlay(completeSignIn(data))
    if ('2fa_required' in data) return
    const name = data.accounts.find(({ id }) => id === account)?.name ?? ''
    toast({ variant: 'success', title: t('account.menu.switched', { account: name }) })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'account_unknown')) return void handleFailure(error)
    // The user is no longer a member. Stay on this page and update the list of accounts.
    toast({ variant: 'info', title: t('global.error.not_a_member') })
    await checkSession()
  }
}
