import type { Contract, Reply } from '@plinth/contract'
import { grants } from '@plinth/contract/roles'
import { useLayoutEffect, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import type { ApiError } from '../../lib/api/error.ts'
import { dropDraft } from '../../lib/form/draft.ts'
import { Form } from '../../lib/form/Form.tsx'
import { t as translate, useT } from '../../lib/i18n/translate.ts'
import { navigate, usePath } from '../../lib/navigate.ts'
import { paths, withQuery } from '../../lib/paths.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { useStore } from '../../lib/store.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { ButtonLink } from '../../ui/base/Button.tsx'
import { Section } from '../../ui/base/Section.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { refreshKeys, useAllowance, useScopes } from './hooks.ts'
import { KeyFormFailed, KeyFormPage, KeyFormSkeleton } from './KeyFormPage.tsx'
import { KeyLimitAlert } from './KeyLimitAlert.tsx'
import { expiryInput, nameInput, scopeInput } from './key-inputs.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { newKey } from './new-key.ts'

const DRAFT = 'api-key'

/** Creates a key. The draft stays in this tab until it is sent, even when the session ends. */
export function CreateApiKeyScreen() {
  const t = useT()
  const scopes = useScopes()
  const allowance = useAllowance()
  const { data: quota } = allowance
  const created = useStore(newKey)
  const isHere = usePath() === paths.createApiKey
  // After Back, the dialog of the new key would open above an empty page. Goes to the list instead.
  const [createdBefore] = useState(created)
  useLayoutEffect(() => {
    if (createdBefore && isHere) navigate(paths.apiKeys, { replace: true })
  }, [createdBefore, isHere])
  const full = quota && quota.limit !== null && quota.used >= quota.limit
  const retry = () => {
    scopes.retry()
    allowance.retry()
  }
  const body = () => {
    // Once the key exists, no form is left that could be submitted again.
    if (created) return null
    if (full)
      return (
        <div className="pt-5">
          <KeyLimitAlert {...quota} />
        </div>
      )
    if (scopes.data && quota) return <CreateForm choices={scopes.data} />
    return scopes.failed || allowance.failed ? <KeyFormFailed retry={retry} /> : <KeyFormSkeleton />
  }
  return (
    <KeyFormPage title={t('api_keys.form.new_title')}>
      {body()}
      <NewKeyDialog />
    </KeyFormPage>
  )
}

/** The server sends the secret once. After a lost answer, a retry returns the key without its secret. */
function showNewKey({ full_key, ...key }: Reply<Contract['apiKeys']['create']>): void {
  if (full_key !== null) newKey.set({ ...key, full_key })
  else
    toast({
      variant: 'info',
      title: translate('api_keys.new.lost', { name: key.name }),
      description: translate(key.revealable ? 'api_keys.new.lost_text' : 'api_keys.new.lost_text_final'),
    })
}

function CreateForm({ choices }: { choices: readonly { value: string; label: string }[] }) {
  const t = useT()
  const owner = grants(useSignedIn().permission, 'owner')
  const [planError, setPlanError] = useState<ApiError | null>(null)
  return (
    <Section title={t('api_keys.form.new_title')} text={t('api_keys.form.new_text')}>
      <Form
        keep={DRAFT}
        inputs={{ name: nameInput(t), scope: scopeInput(t, choices), expires_at: expiryInput(t) }}
        call={api.apiKeys.create}
        buttonText={t('api_keys.form.submit')}
        actions={
          <ButtonLink href={paths.apiKeys} onClick={() => dropDraft(DRAFT)}>
            {t('api_keys.form.cancel')}
          </ButtonLink>
        }
        onChange={() => setPlanError(null)}
        onError={error => {
          // By default a full plan opens the upgrade page, which would lose the draft.
          if (error.status !== 402) return false
          setPlanError(error)
          return true
        }}
        callback={created => {
          showNewKey(created)
          refreshKeys()
        }}
        redirect={paths.apiKeys}
      >
        {planError && (
          <Alert
            tone="warning"
            title={planError.message}
            announce="alert"
            action={
              owner &&
              planError.plan && (
                <ButtonLink href={withQuery(paths.upgrade, { plan: planError.plan })}>
                  {t('api_keys.full.plans')}
                </ButtonLink>
              )
            }
          />
        )}
      </Form>
    </Section>
  )
}
