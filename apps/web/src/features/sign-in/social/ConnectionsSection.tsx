import type { Contract, Reply } from '@plinth/contract'
import { readableEmail } from '@plinth/contract/email'
import { type ReactNode, useEffect } from 'react'
import { api } from '../../../lib/api/client.ts'
import { refresh, useApi } from '../../../lib/data/query.ts'
import { openDialog } from '../../../lib/dialog.ts'
import { day } from '../../../lib/i18n/format.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { attemptWithStepUp } from '../../../lib/step-up/with-step-up.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Section } from '../../../ui/base/Section.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { showConnectionOutcome } from './connection-outcome.ts'
import { openUrl } from './open-url.ts'
import { ProviderLogo } from './ProviderLogo.tsx'
import { type Provider, useProviders } from './use-providers.ts'

type Identity = Reply<Contract['social']['identities']>[number]

/** Lists the providers that are connected, and those that can be. */
export function ConnectionsSection() {
  const t = useT()
  const providers = useProviders()
  const identities = useApi(api.social.identities).data
  // Shows the outcome in the URL once, and removes it.
  useEffect(showConnectionOutcome, [])
  if (!identities || !providers) return null
  const available = providers.filter(({ id }) => !identities.some(({ provider }) => provider === id))
  if (identities.length + available.length === 0) return null
  return (
    <Section title={t('social.connections.title')} text={t('social.connections.text')}>
      <ul className="-my-3.5">
        {identities.map(identity => (
          <ConnectedProvider key={identity.id} identity={identity} />
        ))}
        {available.map(provider => (
          <AvailableProvider key={provider.id} provider={provider} />
        ))}
      </ul>
    </Section>
  )
}

function ConnectedProvider({ identity }: { identity: Identity }) {
  const t = useT()
  const { id, name, email, connected_at } = identity
  const since = t('social.connections.since', { date: day(connected_at) })

  function disconnect(): void {
    openDialog({
      title: t('social.connections.disconnect_title', { name }),
      description: t('social.connections.disconnect_text', { name }),
      buttonText: t('social.connections.disconnect'),
      danger: true,
      call: ({ body }) => api.social.disconnect({ params: { id }, body }),
      callback() {
        toast({ variant: 'success', title: t('social.connections.disconnected', { name }) })
        refresh(api.social.identities)
      },
    })
  }

  return (
    <ProviderRow
      provider={identity.provider}
      name={name}
      text={email ? `${readableEmail(email)} · ${since}` : since}
    >
      <Button size="sm" aria-label={t('social.connections.disconnect_of', { name })} onClick={disconnect}>
        {t('social.connections.disconnect')}
      </Button>
    </ProviderRow>
  )
}

function AvailableProvider({ provider: { id, name } }: { provider: Provider }) {
  const t = useT()

  async function connect(): Promise<void> {
    const begun = await attemptWithStepUp(proof => api.social.connect({ body: { provider: id, ...proof } }))
    if (begun) openUrl(begun.url)
  }

  return (
    <ProviderRow provider={id} name={name} text={t('social.connections.none')}>
      <Button size="sm" aria-label={t('social.connections.connect_of', { name })} onClick={connect}>
        {t('social.connections.connect')}
      </Button>
    </ProviderRow>
  )
}

function ProviderRow(props: { provider: string; name: string; text: string; children: ReactNode }) {
  return (
    <li className="setting items-center">
      <div className="row gap-3 flex-nowrap min-w-0">
        <ProviderLogo of={props.provider} />
        <div className="min-w-0">
          <div className="med">{props.name}</div>
          <p className="help wrap-anywhere">{props.text}</p>
        </div>
      </div>
      {props.children}
    </li>
  )
}
