import type { ApiKey } from '@plinth/contract'
import { ago, day } from '../../lib/i18n/format.ts'
import type { TextKey } from '../../lib/i18n/texts.ts'
import type { Translate } from '../../lib/i18n/translate.ts'

export function badgeOf({ active, revoked_at }: ApiKey): { color: 'green' | 'red'; text: TextKey } {
  if (active) return { color: 'green', text: 'api_keys.badge.active' }
  return { color: 'red', text: revoked_at ? 'api_keys.badge.revoked' : 'api_keys.badge.expired' }
}

/** The last use of a key, or the day on which it stopped working. */
export function lastUseOf({ active, revoked_at, expires_at, last_used_at }: ApiKey, t: Translate): string {
  if (revoked_at) return t('api_keys.used.revoked', { date: day(revoked_at) })
  if (!active && expires_at) return t('api_keys.used.expired', { date: day(expires_at) })
  return last_used_at ? t('api_keys.used.ago', { when: ago(last_used_at) }) : t('api_keys.used.never')
}
