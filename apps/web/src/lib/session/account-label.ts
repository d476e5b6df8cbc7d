import type { Role } from '@plinth/contract/roles'
import { clock, day } from '../i18n/format.ts'
import type { TextKey } from '../i18n/texts.ts'
import type { Translate } from '../i18n/translate.ts'
import type { Session } from './store.ts'

type Account = Session['accounts'][number]

const roles: Partial<Record<Role, TextKey>> = {
  owner: 'account.menu.role.owner',
  admin: 'account.menu.role.admin',
  developer: 'account.menu.role.developer',
  user: 'account.menu.role.user',
}

/**
 * Distinguishes accounts of the same name by the user's role and the date of joining. Null if the name is
 * unique.
 */
export function accountLabel(t: Translate, account: Account, all: readonly Account[]): string | null {
  const namesakes = all.filter(other => other.id !== account.id && other.name === account.name)
  const line = byDay(t, account)
  if (!line || namesakes.length === 0) return null
  // If the dates are equal too, add the time.
  const same = namesakes.some(other => byDay(t, other) === line)
  return same && account.since ? t('account.menu.account_hour', { line, time: clock(account.since) }) : line
}

function byDay(t: Translate, { permission, since }: Account): string | null {
  const role = permission && roles[permission]
  return role && since ? t('account.menu.account_line', { role: t(role), date: day(since) }) : null
}
