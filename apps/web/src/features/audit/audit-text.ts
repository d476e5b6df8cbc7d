import type { AuditEntry } from '@plinth/contract'
import { type AuditAction, auditActions } from '@plinth/contract/audit-actions'
import { isPlanId } from '@plinth/contract/plans'
import { isRole } from '@plinth/contract/roles'
import type { TextKey } from '../../lib/i18n/texts.ts'
import type { Translate } from '../../lib/i18n/translate.ts'
import { roleNames } from '../team/team-row.ts'

/** Every action needs a text: a new one in the contract does not compile until the locales have it. */
function textKeyOf(action: AuditAction): TextKey {
  const [area, verb] = action.split('.')
  return `audit.did.${area}.${verb}` as `audit.did.${AuditAction}` // as: the same parts, joined again
}
const isKnown = (action: string): action is AuditAction => auditActions.some(known => known === action)

const providers: Record<string, string> = { google: 'Google', github: 'GitHub', microsoft: 'Microsoft' }

type EntryContent = Pick<AuditEntry, 'action' | 'target' | 'details'>

/** The sentence of an entry. An action that this page does not know is shown by its name. */
export function auditText(t: Translate, { action, target, details }: EntryContent): string {
  if (!isKnown(action)) return action
  const role = (name: string | undefined) => (name && isRole(name) ? t(roleNames[name]) : (name ?? ''))
  // For entries that never named a user. The server has its own label for a deleted user.
  const gone = t('audit.gone')
  const { email = gone, user = gone, name = '', before = '', detail = '' } = details
  return t(textKeyOf(action), {
    email,
    user,
    name,
    before,
    detail,
    role: role(details.role ?? details.detail),
    from: role(details.from),
    to: role(details.to),
    plan: isPlanId(target) ? t(`audit.plans.${target}`) : target,
    provider: providers[target] ?? target,
    device: deviceOf(t, details),
  })
}

function deviceOf(t: Translate, { browser, system }: AuditEntry['details']): string {
  if (browser && system) return t('audit.device', { browser, system })
  return browser ?? system ?? t('audit.unknown')
}
