import type { Contract, Reply } from '@plinth/contract'
import type { Ref } from 'react'
import type { Control, Input } from '../../lib/form/types.ts'
import type { TextKey } from '../../lib/i18n/texts.ts'
import { type Translate, useT } from '../../lib/i18n/translate.ts'
import { custom } from '../../lib/inputs/more-inputs.tsx'
import { Field } from '../../ui/base/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'

export type Roles = Reply<Contract['team']['permissions']>

const helps: Record<string, TextKey> = {
  admin: 'team.role.admin',
  developer: 'team.role.developer',
  user: 'team.role.user',
}

/** Explains the chosen role below the field. */
function RoleField({ control, roles }: { control: Control; roles: Roles }) {
  const t = useT()
  const role = String(control.value)
  const help = helps[role]
  return (
    <Field label={control.label} help={help && t(help)} error={control.error} required>
      <Select
        name={control.name}
        value={role}
        options={Object.entries(roles)
          // The owner role can't be given here. The server leaves it out too.
          .filter(([value]) => value !== 'owner')
          .map(([value, { label }]) => ({ value, label }))}
        onChange={event => control.onChange(event.target.value)}
        onBlur={control.onBlur}
        disabled={control.disabled}
        ref={control.ref as Ref<HTMLSelectElement>} // as: a ref takes any element it is mounted on
      />
    </Field>
  )
}

export function roleInput(roles: Roles, t: Translate, value = 'user'): Input {
  return custom({
    label: t('team.invite.permission'),
    value,
    required: true,
    render: control => <RoleField control={control} roles={roles} />,
  })
}
