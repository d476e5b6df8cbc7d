import type { SsoSetup } from '@plinth/contract'
import { list } from '../../../lib/i18n/format.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { Alert } from '../../../ui/base/Alert.tsx'

/** The current state and the next step. */
export function SsoStatus({ setup }: { setup: SsoSetup }) {
  const t = useT()
  const { connection, domains } = setup
  const proven = domains.filter(({ proven_at }) => proven_at !== null).map(({ domain }) => domain)
  if (connection?.enforced)
    return (
      <Alert tone="success" title={t('sso.status.enforced')}>
        {t('sso.status.enforced_text')}
      </Alert>
    )
  if (connection?.enabled)
    return (
      <Alert tone="success" title={t('sso.status.on')}>
        {proven.length
          ? t('sso.status.on_text', { domains: list(proven) })
          : t('sso.status.on_without_domain')}
      </Alert>
    )
  return (
    <Alert tone="info" title={t('sso.status.off')}>
      {t('sso.status.off_text')}
    </Alert>
  )
}
