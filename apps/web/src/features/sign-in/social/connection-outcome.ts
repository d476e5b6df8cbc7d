import type { TextKey } from '../../../lib/i18n/texts.ts'
import { t } from '../../../lib/i18n/translate.ts'
import { toast } from '../../../ui/overlay/toast.ts'

/** An unknown code gets a general text: content of the URL is never shown. */
const errorTexts: Record<string, TextKey> = {
  identity_taken: 'social.connections.error.identity_taken',
  provider_connected: 'social.connections.error.provider_connected',
  social_denied: 'social.connections.error.social_denied',
  social_expired: 'social.connections.error.social_expired',
}

/** Shows the outcome of connecting a provider as a toast, and removes it from the URL. */
export function showConnectionOutcome(): void {
  const { pathname, search } = window.location
  const query = new URLSearchParams(search)
  const [error, connected] = [query.get('error'), query.get('connected')]
  if (error === null && connected === null) return
  query.delete('error')
  query.delete('connected')
  window.history.replaceState(window.history.state, '', query.size ? `${pathname}?${query}` : pathname)
  if (error === null) {
    toast({ variant: 'success', title: t('social.connections.connected') })
    return
  }
  const key = Object.hasOwn(errorTexts, error) ? errorTexts[error] : undefined
  toast({
    variant: 'error',
    title: t('social.connections.error.title'),
    description: t(key ?? 'social.connections.error.other'),
  })
}
