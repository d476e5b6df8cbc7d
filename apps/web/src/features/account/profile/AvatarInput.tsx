import { limits } from '@plinth/contract/patterns'
import Upload from 'lucide-react/icons/upload'
import { type Ref, useEffect, useId, useMemo, useRef, useState } from 'react'
import { complaint } from '../../../lib/form/rules.ts'
import type { Control, Input, Rules } from '../../../lib/form/types.ts'
import { t, useT } from '../../../lib/i18n/translate.ts'
import { custom } from '../../../lib/inputs/more-inputs.tsx'
import { Avatar } from '../../../ui/base/Avatar.tsx'
import { Button } from '../../../ui/base/Button.tsx'
import { FieldNote } from '../../../ui/base/Field.tsx'
import { Icon } from '../../../ui/base/Icon.tsx'

const types = ['image/png', 'image/jpeg', 'image/jpg']

/** The chosen file in a list; null removes the picture; an empty list changes nothing. */
type Chosen = File[] | null

type Known = { name: string; saved: string | null }

/**
 * Avatar input: previews the picture and submits it with the form.
 * @param onRefused called with true when a file is rejected, and with false when that error is cleared
 */
export function avatar({ name, saved, onRefused }: Known & { onRefused: (is: boolean) => void }): Input {
  const rules: Rules = {
    accept: types,
    maxFiles: 1,
    check: value =>
      Array.isArray(value) && value[0] instanceof File && value[0].size > limits.avatar_bytes
        ? t('account.profile.avatar_size')
        : null,
  }
  return custom({
    label: t('account.profile.avatar'),
    help: t('account.profile.avatar_help'),
    value: [],
    secret: true,
    send: value => (value === null ? null : Array.isArray(value) ? value[0] : undefined),
    render: control => (
      <AvatarInput control={control} name={name} saved={saved} rules={rules} onRefused={onRefused} />
    ),
  })
}

type Props = Known & { control: Control; rules: Rules; onRefused: (is: boolean) => void }

function AvatarInput({ control, name, saved, rules, onRefused }: Props) {
  const t = useT()
  // A rejected file does not become the form's value, so the other fields can be saved.
  const [refused, setRefused] = useState<string | null>(null)
  function refuse(complaint: string | null): void {
    setRefused(complaint)
    onRefused(complaint !== null)
  }
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const chosen = control.value as Chosen // as: only this input writes the value
  const before = useRef<Chosen>(chosen)
  const error = refused ?? control.error
  const file = control.error ? undefined : chosen?.[0]
  const preview = usePreview(file)
  useClearOnSave(control, saved)
  const src = preview ?? (chosen === null ? null : saved)

  function changeFile(next: Chosen, complaint: string | null = null): void {
    refuse(complaint)
    control.onChange(next)
  }
  function pickFile(files: File[]): void {
    const wrong = complaint(files, rules, control.label)
    if (wrong) refuse(wrong)
    else {
      before.current = chosen
      changeFile(files)
    }
  }

  const unsaved = chosen === null || chosen.length > 0
  return (
    <fieldset className="field" aria-label={control.label}>
      <div className="row gap-4 flex-nowrap">
        <Avatar
          name={name}
          src={src}
          size="lg"
          onError={preview ? () => changeFile(before.current, t('account.profile.avatar_broken')) : undefined}
        />
        <div className="grid gap-1.5 min-w-0">
          <div className="row">
            <Button
              size="sm"
              icon={<Icon of={Upload} />}
              onClick={() => picker.current?.click()}
              disabled={control.disabled}
              aria-describedby={id}
              aria-invalid={error ? true : undefined}
              ref={control.ref as Ref<HTMLButtonElement>} // as: a ref takes any element it is mounted on
            >
              {t('account.profile.avatar_upload')}
            </Button>
            {(src || (chosen?.length ?? 0) > 0) && (
              <Button
                size="sm"
                variant="ghost"
                disabled={control.disabled}
                onClick={({ currentTarget: { previousElementSibling: upload } }) => {
                  changeFile(chosen?.length || !saved ? [] : null)
                  const stays = chosen?.length && saved
                  // This button disappears with the last picture, so the focus moves to the upload button.
                  if (!stays && upload instanceof HTMLElement) upload.focus()
                }}
              >
                {t('account.profile.avatar_remove')}
              </Button>
            )}
          </div>
          <FieldNote
            id={id}
            help={unsaved ? t('account.profile.avatar_unsaved') : control.help}
            error={error}
          />
        </div>
      </div>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={control.label}
        accept={types.join(',')}
        disabled={control.disabled}
        onChange={event => {
          const files = [...(event.target.files ?? [])]
          // Lets the user choose the same file again.
          event.target.value = ''
          if (files.length) pickFile(files)
        }}
      />
    </fieldset>
  )
}

/** Object URL of a file, for the preview. */
function usePreview(file: File | undefined): string | null {
  const address = useMemo(() => (file ? URL.createObjectURL(file) : null), [file])
  // Releases the file when the preview ends.
  useEffect(() => () => void (address && URL.revokeObjectURL(address)), [address])
  return address
}

/** Clears the chosen file once the server reports the saved picture. */
function useClearOnSave({ onChange }: Control, saved: string | null): void {
  const lastSaved = useRef(saved)
  useEffect(() => {
    if (lastSaved.current === saved) return
    lastSaved.current = saved
    onChange([])
  })
}
