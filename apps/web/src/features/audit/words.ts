import type { AuditEntry } from '@plinth/contract'
import { type AuditAction, auditActions } from '@plinth/contract/audit-actions'
import { isPlanId } from '@plinth/contract/plans'
import { isRole } from '@plinth/contract/roles'
import type { TextKey } from '../../lib/i18n/texts.ts'
import type { Translate } from '../../lib/i18n/translate.ts'
import { roleNames } from '../team/team.ts'

/** Every kind of entry has its words: a new one in the contract does not compile until they are in the locales. */
function sentenceOf(action: AuditAction): TextKey {
  const [area, deed] = action.split('.')
  return `audit.did.${area}.${deed}` as `audit.did.${AuditAction}` // as: put together again as it was
}
const isKnown = (action: string): action is AuditAction => auditActions.some(known => known === action)

const providers: Record<string, string> = { google: 'Google', github: 'GitHub', microsoft: 'Microsoft' }

type Said = Pick<AuditEntry, 'action' | 'target' | 'details'>

/** What was done, in a sentence; a kind that this page does not know yet, as the server calls it. */
export function wordsOf(t: Translate, { action, target, details }: Said): string {
  if (!isKnown(action)) return action
  const role = (name: string | undefined) => (name && isRole(name) ? t(roleNames[name]) : (name ?? ''))
  // The server has a label for whoever is gone; this is for an entry that never named anybody.
  const gone = t('audit.gone')
  const { email = gone, user = gone, name = '', before = '', detail = '' } = details
  return t(sentenceOf(action), {
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
