import type { Contract, Reply } from '@plinth/contract'
import { limits } from '@plinth/contract/patterns'
import { useRef } from 'react'
import { api } from '../../../lib/api/client.ts'
import { putAnswer } from '../../../lib/data/query.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { email, text } from '../../../lib/form/inputs.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { navigate } from '../../../lib/navigate.ts'
import { paths } from '../../../lib/paths.ts'
import { mergeSession, session } from '../../../lib/session/store.ts'
import { Section } from '../../../ui/base/Section.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { avatar } from './AvatarInput.tsx'

export type Profile = Reply<Contract['profile']['read']>

/** Copies the saved values into the cached profile and the session. */
function storeSavedProfile(saved: Profile, done: string): void {
  const isPending = saved.pending_email !== null
  // The answer's `verified` is about the new address. The old one stays valid until the new one is confirmed.
  putAnswer(api.profile.read, isPending ? { ...saved, verified: true } : saved)
  const accounts = session
    .get()
    ?.accounts.map(account =>
      account.id === saved.account_id && saved.account_name !== undefined
        ? { ...account, name: saved.account_name }
        : account,
    )
  mergeSession({
    name: saved.name,
    avatar: saved.avatar,
    email_pending: isPending,
    ...(accounts && { accounts }),
  })
  toast({ variant: 'success', title: done })
  if (!saved.verified) navigate(paths.verify)
}

export function AboutSection({ profile }: { profile: Profile }) {
  const t = useT()
  // A rejected picture is not saved, so the success message must not include it.
  const refused = useRef(false)
  const name = { required: true, half: true, maxLength: limits.name }
  const address = email({
    label: t('account.profile.email'),
    help: profile.verified ? t('account.profile.email_verified') : t('account.profile.email_open'),
    value: profile.email,
    required: true,
    maxLength: limits.email,
    autoComplete: 'email',
  })
  return (
    <Section title={t('account.profile.about')} text={t('account.profile.about_text')}>
      <Form
        keep="profile"
        inputs={{
          avatar: avatar({
            name: profile.name,
            saved: profile.avatar,
            onRefused: is => {
              refused.current = is
            },
          }),
          first_name: text({
            ...name,
            label: t('account.profile.first_name'),
            value: profile.first_name,
            autoComplete: 'given-name',
          }),
          last_name: text({
            ...name,
            label: t('account.profile.last_name'),
            value: profile.last_name,
            autoComplete: 'family-name',
          }),
          email: address,
        }}
        call={api.profile.update}
        unchanged={() =>
          refused.current
            ? toast({ variant: 'error', title: t('account.profile.avatar_left') })
            : toast({ variant: 'success', title: t('account.profile.saved') })
        }
        buttonText={t('account.profile.save')}
        callback={saved =>
          storeSavedProfile(
            saved,
            t(refused.current ? 'account.profile.saved_without' : 'account.profile.saved'),
          )
        }
      />
    </Section>
  )
}

/** Renames the account. Only owners see this section. */
export function AccountSection({ name }: { name: string }) {
  const t = useT()
  return (
    <Section title={t('account.profile.account')} text={t('account.profile.account_text')}>
      <Form
        keep="account-name"
        inputs={{
          account_name: text({
            label: t('account.profile.account_name'),
            value: name,
            required: true,
            maxLength: limits.account_name,
            autoComplete: 'organization',
          }),
        }}
        call={api.profile.update}
        unchanged={() => toast({ variant: 'success', title: t('account.profile.account_saved') })}
        buttonText={t('account.profile.save')}
        variant="secondary"
        callback={saved => storeSavedProfile(saved, t('account.profile.account_saved'))}
      />
    </Section>
  )
}
