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
  const label = roleAndDate(t, account)
  if (!label || namesakes.length === 0) return null
  // If the dates are equal too, add the time.
  const isAmbiguous = namesakes.some(other => roleAndDate(t, other) === label)
  return isAmbiguous && account.since
    ? t('account.menu.account_hour', { line: label, time: clock(account.since) })
    : label
}

function roleAndDate(t: Translate, { permission, since }: Account): string | null {
  const role = permission && roles[permission]
  return role && since ? t('account.menu.account_line', { role: t(role), date: day(since) }) : null
}
