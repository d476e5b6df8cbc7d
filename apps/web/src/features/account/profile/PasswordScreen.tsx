import type { SignInReply } from '@plinth/contract'
import { limits } from '@plinth/contract/patterns'
import CircleAlert from 'lucide-react/icons/circle-alert'
import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { putAnswer, useApi } from '../../../lib/data/query.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { password } from '../../../lib/form/inputs.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { completeSignIn } from '../../../lib/session/complete-sign-in.ts'
import { keepSession } from '../../../lib/session/store.ts'
import { takeFocus } from '../../../lib/take-focus.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { EmptyState } from '../../../ui/base/EmptyState.tsx'
import { Section } from '../../../ui/base/Section.tsx'
import { ProfileSkeleton } from './ProfileSkeleton.tsx'

/** Changes the password, or creates the first one. */
export function PasswordScreen() {
  const t = useT()
  const { data, failed, retry } = useApi(api.profile.read)
  const [changes, setChanges] = useState(0)
  if (failed && !data) {
    return (
      <EmptyState
        icon={CircleAlert}
        title={t('account.password.failed')}
        action={<Button onClick={retry}>{t('global.retry')}</Button>}
      >
        {t('account.password.failed_text')}
      </EmptyState>
    )
  }
  const title = t(data?.has_password === false ? 'account.password.create' : 'account.password.change')
  if (!data) return <ProfileSkeleton title={title} text={t('account.password.text')} />

  /** Continues with the new session token that the server returns. */
  function continueSession(answer: SignInReply): unknown {
    if ('2fa_required' in answer) return completeSignIn(answer)
    keepSession(answer)
    if (data) putAnswer(api.profile.read, { ...data, has_password: true })
    return setChanges(changes + 1)
  }

  return (
    <div>
      <Section
        title={
          // The pressed button is gone with the old form, so the title takes the focus.
          <span key={changes} className="outline-0" tabIndex={-1} ref={changes ? takeFocus : undefined}>
            {title}
          </span>
        }
        text={t('account.password.text')}
      >
        <PasswordForm key={changes} has={data.has_password} callback={continueSession} />
      </Section>
    </div>
  )
}

function PasswordForm({ has, callback }: { has: boolean; callback: (answer: SignInReply) => unknown }) {
  const t = useT()
  const old = password({
    label: t('account.password.old'),
    required: true,
    maxLength: limits.password_max,
    autoComplete: 'current-password',
  })
  return (
    <Form
      inputs={{
        ...(has && { oldpassword: old }),
        newpassword: password({
          label: t('account.password.new'),
          help: t('account.password.rules', { minLength: limits.password_min }),
          required: true,
          minLength: limits.password_min,
          maxLength: limits.password_max,
          complex: true,
          autoComplete: 'new-password',
        }),
        confirm_password: password({
          label: t('account.password.again'),
          required: true,
          matches: 'newpassword',
          messages: { required: t('account.password.again_required') },
          autoComplete: 'new-password',
        }),
      }}
      extra={{ has_password: has }}
      call={api.profile.changePassword}
      buttonText={t(has ? 'account.password.change' : 'account.password.create')}
      callback={callback}
    />
  )
}
