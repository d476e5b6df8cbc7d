import type { Contract, Reply } from '@plinth/contract'
import { limits } from '@plinth/contract/patterns'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import UserRoundKey from 'lucide-react/icons/user-round-key'
import { api } from '../../../lib/api/client.ts'
import { refresh, useApi } from '../../../lib/data/query.ts'
import { openDialog } from '../../../lib/dialog.ts'
import { text } from '../../../lib/form/inputs.tsx'
import { day } from '../../../lib/i18n/format.ts'
import { t, useT } from '../../../lib/i18n/translate.ts'
import { passkeysSupported } from '../../../lib/passkeys-supported.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Icon } from '../../../ui/base/Icon.tsx'
import { Section } from '../../../ui/base/Section.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { addPasskey } from './add-passkey.ts'

type Passkey = Reply<Contract['passkeys']['list']>[number]

export function PasskeysSection() {
  const t = useT()
  const passkeys = useApi(api.passkeys.list).data
  if (!passkeys) return null

  async function addAndName(): Promise<void> {
    const added = await addPasskey()
    if (!added) return
    refresh(api.passkeys.list)
    askName(added, {
      title: t('account.passkeys.new_title'),
      description: t('account.passkeys.new_text'),
      // The passkey exists already and keeps its first name.
      cancelText: t('account.passkeys.skip'),
    })
  }

  return (
    <Section title={t('account.passkeys.title')} text={t('account.passkeys.text')}>
      <div className="stack stack-4">
        {passkeys.length > 0 ? (
          <ul className="-mt-3.5">
            {passkeys.map(passkey => (
              <PasskeyRow key={passkey.id} passkey={passkey} />
            ))}
          </ul>
        ) : (
          <p className="ink2">{t('account.passkeys.none')}</p>
        )}
        {passkeysSupported() ? (
          <div>
            <Button onClick={addAndName}>{t('account.passkeys.add')}</Button>
          </div>
        ) : (
          <p className="help">{t('account.passkeys.unable')}</p>
        )}
      </div>
    </Section>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const t = useT()
  const { name, synced, created_at, last_used_at } = passkey
  const details = [
    t('account.passkeys.since', { date: day(created_at) }),
    last_used_at ? t('account.passkeys.used', { date: day(last_used_at) }) : t('account.passkeys.unused'),
    synced && t('account.passkeys.synced'),
  ]
  return (
    <li className="setting items-center">
      <div className="row gap-3 flex-nowrap min-w-0">
        <Icon of={UserRoundKey} />
        <div className="min-w-0">
          <div className="med wrap-anywhere">{name}</div>
          <p className="help">{details.filter(Boolean).join(' · ')}</p>
        </div>
      </div>
      <div className="row gap-1 flex-nowrap">
        <Button
          variant="ghost"
          square
          aria-label={t('account.passkeys.rename_of', { name })}
          icon={<Icon of={Pencil} />}
          onClick={() => askName(passkey, { title: t('account.passkeys.rename_title') })}
        />
        <Button
          variant="ghost"
          square
          aria-label={t('account.passkeys.remove_of', { name })}
          icon={<Icon of={Trash} />}
          onClick={() => askRemoval(passkey)}
        />
      </div>
    </li>
  )
}

function askName(
  { id, name }: Passkey,
  texts: { title: string; description?: string; cancelText?: string },
): void {
  openDialog({
    ...texts,
    buttonText: t('account.passkeys.save'),
    form: {
      name: text({
        label: t('account.passkeys.name'),
        value: name,
        required: true,
        maxLength: limits.name,
        autoComplete: 'off',
      }),
    },
    call: ({ body }) => api.passkeys.rename({ params: { id }, body }),
    callback() {
      toast({ variant: 'success', title: t('account.passkeys.renamed') })
      refresh(api.passkeys.list)
    },
  })
}

function askRemoval({ id, name }: Passkey): void {
  openDialog({
    title: t('account.passkeys.remove_title', { name }),
    description: t('account.passkeys.remove_text'),
    buttonText: t('account.passkeys.remove'),
    danger: true,
    call: ({ body }) => api.passkeys.remove({ params: { id }, body }),
    callback() {
      toast({ variant: 'success', title: t('account.passkeys.removed', { name }) })
      refresh(api.passkeys.list)
    },
  })
}
