import type { Contract, Reply } from '@plinth/contract'
import { grants } from '@plinth/contract/roles'
import { api } from '../../../lib/api/client.ts'
import { closeDialog, openDialog } from '../../../lib/dialog.ts'
import { password, text } from '../../../lib/form/inputs.tsx'
import type { Input } from '../../../lib/form/types.ts'
import { type Translate, useT } from '../../../lib/i18n/translate.ts'
import { leaveFor } from '../../../lib/session/complete-sign-in.ts'
import { useSignedIn } from '../../../lib/session/store.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Section } from '../../../ui/base/Section.tsx'
import type { Profile } from '../profile/ProfileForms.tsx'
import { ClosingCosts } from './ClosingCosts.tsx'

type Closed = Reply<Contract['accounts']['close']>

/** An owner without a password confirms by typing the account's name. */
function nameInput(account: string, t: Translate): Input {
  const wrong = t('account.close.name_wrong', { account })
  return {
    ...text({ label: t('account.close.name', { account }), autoComplete: 'off' }),
    rules: {
      required: true,
      messages: { required: wrong },
      check: typed => (normalizeName(typed) === normalizeName(account) ? null : wrong),
    },
    quiet: true,
    send: () => undefined,
  }
}

/**
 * Ignores differences between keyboards: typographic apostrophes, Unicode forms of accents, repeated spaces.
 */
const normalizeName = (name: unknown) =>
  String(name).normalize('NFC').replace(/[’‘ʼ]/g, "'").replace(/\s+/g, ' ').trim()

/** An owner closes the account; other members leave it. */
export function CloseSection({ profile, account }: { profile: Profile; account: string }) {
  const t = useT()
  const { plan, subscription } = useSignedIn()
  const owner = grants(profile.permission, 'owner')
  const paid = plan !== null && plan !== 'free' && subscription !== 'canceled'
  const subject = owner
    ? {
        title: t('account.close.account', { account }),
        text: t(paid ? 'account.close.account_text_paid' : 'account.close.account_text'),
      }
    : { title: t('account.close.user', { account }), text: t('account.close.user_text') }

  function confirmClosing(): void {
    openDialog({
      title: t('account.close.question', { what: subject.title }),
      description:
        owner && paid ? (
          <div className="stack stack-3">
            <p>{subject.text}</p>
            <ClosingCosts />
          </div>
        ) : (
          subject.text
        ),
      buttonText: t(owner ? 'account.close.button' : 'account.close.leave'),
      danger: true,
      call: owner ? api.accounts.close : api.accounts.closeUser,
      // Without a password, the server decides whether the dialog asks for a code.
      form: profile.has_password
        ? {
            password: password({
              label: t('account.close.password'),
              help: t(owner ? 'account.close.password_help' : 'account.close.password_help_leave'),
              required: true,
              messages: {
                required: t(owner ? 'account.close.password_help' : 'account.close.password_help_leave'),
              },
              autoComplete: 'current-password',
            }),
          }
        : owner
          ? { name: nameInput(account, t) }
          : null,
      callback: ({ session }: Closed) => {
        // The dialog closes first: without a session it would refetch its amounts and fail.
        closeDialog()
        return leaveFor(session)
      },
    })
  }

  return (
    <Section title={t('account.close.zone')} text={t('account.close.zone_text')}>
      <div className="card border-danger-line">
        <div className="row between gap-4 px-5 py-4">
          <div className="grow basis-65">
            <div className="med wrap-anywhere">{subject.title}</div>
            <p className="t13 ink2">{subject.text}</p>
          </div>
          <Button variant="danger-quiet" onClick={confirmClosing}>
            {t(owner ? 'account.close.button' : 'account.close.leave')}
          </Button>
        </div>
      </div>
    </Section>
  )
}
