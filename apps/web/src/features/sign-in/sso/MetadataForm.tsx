import type { SsoSetup } from '@plinth/contract'
import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { text } from '../../../lib/form/inputs.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { area } from '../../../lib/inputs/more-inputs.tsx'
import { Button } from '../../../ui/base/Button.tsx'

type Props = { start: string; onCancel: (() => void) | undefined; onSaved: (setup: SsoSetup) => void }

/** Takes the provider's metadata by its URL or as XML. */
export function MetadataForm({ start, onCancel, onSaved }: Props) {
  const t = useT()
  const [pasted, setPasted] = useState(false)
  const inputs = pasted
    ? {
        metadata_xml: area({
          label: t('sso.provider.xml'),
          help: t('sso.provider.xml_help'),
          required: true,
          rows: 8,
        }),
      }
    : {
        metadata_url: text({
          label: t('sso.provider.url'),
          help: t('sso.provider.url_help'),
          required: true,
          value: start,
          autoComplete: 'off',
        }),
      }
  return (
    <Form
      key={String(pasted)}
      inputs={inputs}
      call={api.sso.connect}
      buttonText={t('sso.provider.connect')}
      variant="secondary"
      callback={onSaved}
      actions={
        <>
          <Button variant="ghost" onClick={() => setPasted(!pasted)}>
            {t(pasted ? 'sso.provider.by_url' : 'sso.provider.by_xml')}
          </Button>
          {onCancel && (
            <Button variant="ghost" onClick={onCancel}>
              {t('global.cancel')}
            </Button>
          )}
        </>
      }
    />
  )
}
