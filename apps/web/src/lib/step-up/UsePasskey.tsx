import UserRoundKey from 'lucide-react/icons/user-round-key'
import type { Ref } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/base/Button.tsx'
import { Icon } from '../../ui/base/Icon.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { api } from '../api/client.ts'
import { handleFailure } from '../api/failure.ts'
import type { Control } from '../form/types.ts'
import { useT } from '../i18n/translate.ts'

/** Confirms the user's identity with a passkey, then submits the form. */
export function UsePasskey({ control }: { control: Control }) {
  const t = useT()

  async function submitWithPasskey(form: HTMLFormElement | null): Promise<void> {
    if (!(await prove())) return
    flushSync(() => control.onChange(true))
    form?.requestSubmit()
  }

  async function prove(): Promise<boolean> {
    try {
      const { data } = await api.passkeys.beginProof({ body: {} })
      const { showPasskey } = await import('../passkeys/ceremony.ts')
      const credential = await showPasskey(data)
      if (credential) await api.passkeys.prove({ body: { credential } })
      return credential !== null
    } catch (error) {
      if (error instanceof DOMException) toast({ variant: 'error', title: t('global.proof.passkey_failed') })
      else handleFailure(error)
      return false
    }
  }

  return (
    <div className="stack">
      {control.help && <p className="help">{control.help}</p>}
      <div>
        <Button
          ref={control.ref as Ref<HTMLButtonElement>} // as: a ref takes any element it is mounted on
          icon={<Icon of={UserRoundKey} />}
          disabled={control.disabled}
          onClick={event => submitWithPasskey(event.currentTarget.form)}
        >
          {control.label}
        </Button>
      </div>
    </div>
  )
}
