import type { TextKey } from '../../lib/i18n/texts.ts'
import { t } from '../../lib/i18n/translate.ts'
import { socialStart } from '../../lib/paths.ts'
import { toast } from '../../ui/overlay/toast.ts'
import { openUrl } from './social/open-url.ts'

/** An unknown code gets a general text: content of the URL is never shown. */
const errorTexts: Record<string, TextKey> = {
  session_ended: 'auth.sign_in.error.session_ended',
  link_expired: 'auth.sign_in.error.link_expired',
  access_denied: 'auth.sign_in.error.access_denied',
  social_denied: 'auth.sign_in.error.social_denied',
  social_expired: 'auth.sign_in.error.social_expired',
  social_failed: 'auth.sign_in.error.social_failed',
  too_many_requests: 'auth.sign_in.error.too_many_requests',
}

/** Shows `?error=` as a toast and removes it from the URL, so that a reload does not repeat it. */
export function showSignInError(): void {
  const { pathname, search } = window.location
  const query = new URLSearchParams(search)
  const code = query.get('error')
  if (!code) return
  const provider = query.get('provider')
  query.delete('error')
  query.delete('provider')
  window.history.replaceState(window.history.state, '', query.size ? `${pathname}?${query}` : pathname)
  const key = Object.hasOwn(errorTexts, code) ? errorTexts[code] : undefined
  toast({
    variant: 'error',
    title: t('auth.sign_in.error.title'),
    description: t(key ?? 'auth.sign_in.error.other'),
    ...(code === 'social_denied' &&
      provider && { action: { label: t('global.retry'), onSelect: () => openUrl(socialStart(provider)) } }),
  })
}
