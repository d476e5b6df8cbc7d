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

/** What tells accounts of one name apart: one's role in each, and since when. Null where the name says it all. */
export function accountLabel(t: Translate, account: Account, all: readonly Account[]): string | null {
  const namesakes = all.filter(other => other.id !== account.id && other.name === account.name)
  const line = byDay(t, account)
  if (!line || namesakes.length === 0) return null
  // On one day, the hour does.
  const same = namesakes.some(other => byDay(t, other) === line)
  return same && account.since ? t('account.menu.account_hour', { line, time: clock(account.since) }) : line
}

function byDay(t: Translate, { permission, since }: Account): string | null {
  const role = permission && roles[permission]
  return role && since ? t('account.menu.account_line', { role: t(role), date: day(since) }) : null
}
