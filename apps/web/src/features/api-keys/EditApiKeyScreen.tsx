import type { ApiKey } from '@plinth/contract'
import type { Scope } from '@plinth/contract/scopes'
import { useLayoutEffect } from 'react'
import { api } from '../../lib/api/client.ts'
import { dropDraft } from '../../lib/form/draft.ts'
import { Form } from '../../lib/form/Form.tsx'
import { day } from '../../lib/i18n/format.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { navigate, usePath } from '../../lib/navigate.ts'
import { paths } from '../../lib/paths.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { Button, ButtonLink } from '../../ui/base/Button.tsx'
import { Section } from '../../ui/base/Section.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { DetailList } from './DetailList.tsx'
import { refreshKeys, useKey, useKeyId, useScopes } from './hooks.ts'
import { KeyFormFailed, KeyFormPage, KeyFormSkeleton } from './KeyFormPage.tsx'
import { askToDelete, askToRevoke } from './key-actions.ts'
import { nameInput, scopeInput } from './key-inputs.tsx'
import { lastUseOf } from './key-status.ts'

type Choices = readonly { value: string; label: string }[]

/** Renames a key, changes its scopes, revokes or deletes it. An unknown key leads to the 404 page. */
export function EditApiKeyScreen() {
  const t = useT()
  const { data, failed, retry } = useKey(useKeyId())
  const scopes = useScopes()
  const unknown = data?.length === 0
  const key = data?.[0]

  const isHere = usePath() === paths.editApiKey

  // After a deletion this screen is already leaving for the list.
  useLayoutEffect(() => {
    if (unknown && isHere) navigate(paths.notFoundToo, { replace: true })
  }, [unknown, isHere])

  const body = () => {
    if (key && scopes.data) return <KeySections key={key.id} apiKey={key} choices={scopes.data} />
    const retryAll = () => {
      retry()
      scopes.retry()
    }
    return failed || scopes.failed ? <KeyFormFailed retry={retryAll} /> : <KeyFormSkeleton />
  }
  return <KeyFormPage title={key?.name ?? t('api_keys.form.edit_title')}>{body()}</KeyFormPage>
}

function KeySections({ apiKey, choices }: { apiKey: ApiKey; choices: Choices }) {
  const t = useT()
  return (
    <>
      {apiKey.revoked_at ? (
        <div className="pt-5">
          <Alert tone="warning" title={t('api_keys.danger.revoked')}>
            {t('api_keys.danger.revoked_text')}
          </Alert>
        </div>
      ) : (
        <Section title={t('api_keys.form.edit_title')} text={t('api_keys.form.edit_text')}>
          <EditForm apiKey={apiKey} choices={choices} />
        </Section>
      )}
      <Section title={t('api_keys.facts.title')}>
        <KeyDetails apiKey={apiKey} />
      </Section>
      <Section
        title={t('api_keys.danger.title')}
        text={t(apiKey.active ? 'api_keys.danger.text' : 'api_keys.danger.text_ended')}
      >
        <div className="row">
          {!apiKey.revoked_at && (
            <Button variant="danger" onClick={() => askToRevoke(apiKey)}>
              {t('api_keys.revoke.button')}
            </Button>
          )}
          <Button variant="danger" onClick={() => askToDelete([apiKey], () => navigate(paths.apiKeys))}>
            {t('api_keys.delete.button', { count: 1 })}
          </Button>
        </div>
      </Section>
    </>
  )
}

function EditForm({ apiKey, choices }: { apiKey: ApiKey; choices: Choices }) {
  const t = useT()
  const { id, name, scope } = apiKey
  const draft = `api-key-${id}`
  const saved = () => toast({ variant: 'success', title: t('api_keys.form.saved') })
  return (
    <Form
      keep={draft}
      inputs={{ name: nameInput(t, name), scope: scopeInput(t, choices, scope) }}
      call={(input: { body: { name?: string; scope?: Scope[] } }) =>
        api.apiKeys.update({ ...input, params: { id } })
      }
      unchanged={saved}
      buttonText={t('api_keys.form.save')}
      actions={
        <ButtonLink href={paths.apiKeys} onClick={() => dropDraft(draft)}>
          {t('api_keys.form.cancel')}
        </ButtonLink>
      }
      onError={error => {
        if (error.status === 404) navigate(paths.notFoundToo, { replace: true })
        // Revoked in another tab: the refetch shows that.
        if (error.code === 'key_revoked') refreshKeys()
        return error.status === 404
      }}
      callback={() => {
        saved()
        refreshKeys()
      }}
      redirect={paths.apiKeys}
    />
  )
}

function KeyDetails({ apiKey }: { apiKey: ApiKey }) {
  const t = useT()
  const { key, created_by, date_created, expires_at } = apiKey
  return (
    <DetailList
      lines={[
        { label: t('api_keys.facts.key'), value: <span className="mono ltr whitespace-nowrap">{key}</span> },
        { label: t('api_keys.facts.by'), value: <bdi>{created_by ?? t('api_keys.facts.gone')}</bdi> },
        { label: t('api_keys.facts.created'), value: day(date_created) },
        { label: t('api_keys.facts.used'), value: lastUseOf(apiKey, t) },
        {
          label: t('api_keys.facts.expires'),
          value: expires_at ? day(expires_at) : t('api_keys.new.never'),
        },
      ]}
    />
  )
}
