import type { SsoSetup } from '@plinth/contract'
import { day } from '../../../lib/i18n/format.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { Badge } from '../../../ui/base/Badge.tsx'
import { Inset } from '../../../ui/base/Inset.tsx'
import { TextSpan } from '../../../ui/base/TextSpan.tsx'

type Connection = NonNullable<SsoSetup['connection']>
type Certificate = Connection['certificates'][number]

/** The provider's addresses and signing certificates. */
export function ProviderDetails({ connection }: { connection: Connection }) {
  const t = useT()
  return (
    <Inset>
      <dl className="stack stack-3">
        <Detail label={t('sso.provider.their_entity')} value={connection.idp_entity_id} />
        <Detail label={t('sso.provider.sign_in_page')} value={connection.sso_url} />
        {connection.certificates.map(certificate => (
          <CertificateRow key={certificate.fingerprint} certificate={certificate} />
        ))}
        {connection.signs_requests && (
          <Detail label={t('sso.provider.requests')} value={t('sso.provider.requests_signed')} />
        )}
      </dl>
    </Inset>
  )
}

function Detail({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="ink3">{label}</dt>
      <dd className="wrap-anywhere">{value}</dd>
    </div>
  )
}

const soon = 30 * 86_400_000

function CertificateRow({ certificate: { fingerprint, expires_at } }: { certificate: Certificate }) {
  const t = useT()
  const left = new Date(expires_at).getTime() - Date.now()
  return (
    <div>
      <dt className="ink3">{t('sso.provider.certificate')}</dt>
      <dd className="row gap-2">
        <TextSpan>
          {t(left < 0 ? 'sso.provider.expired_on' : 'sso.provider.expires_on', { date: day(expires_at) })}
        </TextSpan>
        {left < soon && (
          <Badge color={left < 0 ? 'red' : 'orange'}>
            {t(left < 0 ? 'sso.provider.expired' : 'sso.provider.expires_soon')}
          </Badge>
        )}
      </dd>
      <dd className="mono t12 ink3 wrap-anywhere" dir="ltr">
        {fingerprint}
      </dd>
    </div>
  )
}
