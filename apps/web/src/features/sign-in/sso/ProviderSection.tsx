import type { SsoSetup } from '@plinth/contract'
import { useRef, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { openDialog } from '../../../lib/dialog.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Section } from '../../../ui/base/Section.tsx'
import { CopyableValue } from './CopyableValue.tsx'
import { MetadataForm } from './MetadataForm.tsx'
import { ProviderDetails } from './ProviderDetails.tsx'
import { storeSetup } from './store-setup.ts'

/** Our values for the provider, and the provider's metadata for us. */
export function ProviderSection({ setup }: { setup: SsoSetup }) {
  const t = useT()
  const { connection, service } = setup
  const [replacing, setReplacing] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)

  function askToRemove(): void {
    openDialog({
      title: t('sso.provider.remove_title'),
      description: t('sso.provider.remove_text'),
      buttonText: t('sso.provider.remove'),
      danger: true,
      call: ({ body }) => api.sso.disconnect({ body }),
      callback: storeSetup,
    })
  }

  return (
    <Section title={t('sso.provider.title')} text={t('sso.provider.text')}>
      <div className="stack stack-5">
        <div className="stack stack-3">
          <h3 className="h2">{t('sso.provider.ours')}</h3>
          <CopyableValue label={t('sso.provider.acs')} value={service.acs_url} />
          {service.metadata_url === service.entity_id ? (
            <CopyableValue label={t('sso.provider.entity_and_metadata')} value={service.entity_id} />
          ) : (
            <>
              <CopyableValue label={t('sso.provider.entity')} value={service.entity_id} />
              <CopyableValue label={t('sso.provider.metadata')} value={service.metadata_url} />
            </>
          )}
        </div>
        <div className="stack stack-3">
          <h3 className="h2 outline-0" tabIndex={-1} ref={heading}>
            {t('sso.provider.theirs')}
          </h3>
          {connection && !replacing ? (
            <>
              <ProviderDetails connection={connection} />
              <div className="row gap-2">
                <Button size="sm" onClick={() => setReplacing(true)}>
                  {t('sso.provider.replace')}
                </Button>
                <Button size="sm" variant="ghost" onClick={askToRemove}>
                  {t('sso.provider.remove')}
                </Button>
              </div>
            </>
          ) : (
            <MetadataForm
              start={connection?.metadata_url ?? ''}
              onCancel={connection ? () => setReplacing(false) : undefined}
              onSaved={saved => {
                setReplacing(false)
                storeSetup(saved)
                // The form is gone; the heading is above the values from the metadata.
                heading.current?.focus()
              }}
            />
          )}
        </div>
      </div>
    </Section>
  )
}
