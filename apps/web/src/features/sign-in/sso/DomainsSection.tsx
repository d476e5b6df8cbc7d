import type { SsoSetup } from '@plinth/contract'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { openDialog } from '../../../lib/dialog.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { text } from '../../../lib/form/inputs.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { attemptWithStepUp } from '../../../lib/step-up/with-step-up.ts'
import { Badge } from '../../../ui/base/Badge.tsx'
import { Button } from '../../../ui/base/Button.tsx'
import { Section } from '../../../ui/base/Section.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { CopyableValue } from './CopyableValue.tsx'
import { storeSetup } from './store-setup.ts'

type Domain = SsoSetup['domains'][number]

export function DomainsSection({ domains }: { domains: readonly Domain[] }) {
  const t = useT()
  const [added, setAdded] = useState('')

  function showAdded(setup: SsoSetup): void {
    setAdded(setup.domains.find(({ id }) => !domains.some(known => known.id === id))?.id ?? '')
    storeSetup(setup)
  }

  return (
    <Section title={t('sso.domains.title')} text={t('sso.domains.text')}>
      <div className="stack stack-5">
        {domains.length > 0 && (
          <ul className="-mt-3.5">
            {domains.map(domain => (
              <DomainRow key={domain.id} domain={domain} isNew={domain.id === added} />
            ))}
          </ul>
        )}
        <Form
          // The new key empties the form after a domain was added.
          key={domains.length}
          inputs={{
            domain: text({
              label: t('sso.domains.add_label'),
              help: t('sso.domains.add_help'),
              required: true,
              autoComplete: 'off',
            }),
          }}
          call={api.sso.addDomain}
          buttonText={t('sso.domains.add')}
          variant="secondary"
          callback={showAdded}
        />
      </div>
    </Section>
  )
}

function DomainRow({ domain, isNew }: { domain: Domain; isNew: boolean }) {
  const t = useT()
  const title = useRef<HTMLSpanElement>(null)
  const { id, domain: name, proven_at } = domain

  // The form has lost the focus by its reset. The new row shows the next step.
  useEffect(() => {
    if (isNew) title.current?.focus()
  }, [isNew])

  async function checkDomain(): Promise<void> {
    const setup = await attemptWithStepUp(proof => api.sso.checkDomain({ params: { id }, body: proof }))
    if (!setup) return
    storeSetup(setup)
    // The pressed button is gone.
    title.current?.focus()
    toast({ variant: 'success', title: t('sso.domains.proven_now', { domain: name }) })
  }

  function askToRemove(): void {
    openDialog({
      title: t('sso.domains.remove_title', { domain: name }),
      description: t(proven_at ? 'sso.domains.remove_text' : 'sso.domains.remove_open_text'),
      buttonText: t('sso.remove'),
      danger: true,
      call: ({ body }) => api.sso.removeDomain({ params: { id }, body }),
      callback: storeSetup,
    })
  }

  return (
    <li className="setting flex-col gap-3">
      <div className="row between w-full">
        <div className="row gap-2">
          <span className="med wrap-anywhere outline-0" tabIndex={-1} ref={title}>
            {name}
          </span>
          <Badge color={proven_at ? 'green' : 'orange'}>
            {t(proven_at ? 'sso.domains.proven' : 'sso.domains.open')}
          </Badge>
        </div>
        <div className="row gap-2">
          {!proven_at && (
            <Button size="sm" aria-label={t('sso.domains.check_of', { domain: name })} onClick={checkDomain}>
              {t('sso.domains.check')}
            </Button>
          )}
          <Button
            size="sm"
            variant="ghost"
            aria-label={t('sso.domains.remove_of', { domain: name })}
            onClick={askToRemove}
          >
            {t('sso.remove')}
          </Button>
        </div>
      </div>
      {!proven_at && (
        <div className="stack stack-3 w-full">
          <p className="help">{t('sso.domains.record')}</p>
          <CopyableValue label={t('sso.domains.record_name')} value={domain.record_name} />
          <CopyableValue label={t('sso.domains.record_value')} value={domain.record_value} />
        </div>
      )}
    </li>
  )
}
