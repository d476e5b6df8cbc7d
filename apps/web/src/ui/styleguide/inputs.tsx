import { email, number, password, phone, text, url } from '../../lib/form/inputs.tsx'
import type { Control, Input } from '../../lib/form/types.ts'
import { card } from '../../lib/inputs/card.tsx'
import { checkboxes, radio } from '../../lib/inputs/choices.tsx'
import { code } from '../../lib/inputs/code.tsx'
import { date } from '../../lib/inputs/date.tsx'
import { file } from '../../lib/inputs/file.tsx'
import { area, checkbox, select, toggle } from '../../lib/inputs/more-inputs.tsx'
import { CardFields } from '../form/CardFields.tsx'
import type { CardValue } from '../form/card-format.ts'

const ROLES = [
  { value: 'admin', label: 'Administrator', help: 'Manages users.' },
  { value: 'developer', label: 'Developer', help: 'Makes API keys.' },
  { value: 'user', label: 'User', disabled: true },
]
const SCOPES = ['users.read', 'usage.write', 'events.write'].map(value => ({ value, label: value }))
const MONTHS = Array.from({ length: 36 }, (_, index) => ({
  value: String(index),
  label: new Date(Date.UTC(2026, index)).toLocaleDateString('en', { month: 'long', year: 'numeric' }),
}))
const LARGEST = 1_000_000

function CardControl({ control }: { control: Control }) {
  return (
    <CardFields
      onChange={control.onChange}
      onBlur={control.onBlur}
      disabled={control.disabled}
      start={control.value as CardValue | null} // as: only CardFields sets this value
      labels={{ number: 'Card number', exp: 'Expiry date', cvc: 'Security code' }}
    />
  )
}

/** Every kind of input with a valid and an invalid value. */
export const inputs: Record<string, { input: Input; good: unknown; bad: unknown }> = {
  text: {
    input: text({ label: 'Name', required: true, minLength: 3, maxLength: 40, help: 'Shown to your team.' }),
    good: 'Mara Aldous',
    bad: 'Ma',
  },
  email: {
    input: email({ label: 'Email', required: true, placeholder: 'name@company.com' }),
    good: 'mara@northquay.studio',
    bad: 'mara@northquay',
  },
  password: {
    input: password({ label: 'Password', required: true, complex: true, autoComplete: 'new-password' }),
    good: 'limestone!',
    bad: 'limestone',
  },
  repeated: {
    input: password({ label: 'Repeat password', matches: 'password', autoComplete: 'new-password' }),
    good: 'limestone!',
    bad: 'limestone',
  },
  number: {
    input: number({ label: 'Seats', min: 1, max: 20, help: 'Between 1 and 20.' }),
    good: '8',
    bad: '21',
  },
  phone: { input: phone({ label: 'Phone' }), good: '+1 1234567890', bad: '12345' },
  url: { input: url({ label: 'Website' }), good: 'https://northquay.studio/about', bad: 'northquay' },
  textarea: {
    input: area({ label: 'Message', required: true, rows: 3, maxLength: 60 }),
    good: 'The export stops at row 200.',
    bad: 'The export stops at row 200, whatever the filter, since the last release.',
  },
  select: {
    input: select({ label: 'Month', required: true, options: MONTHS, help: 'A long list scrolls.' }),
    good: '10',
    bad: '',
  },
  date: {
    input: date({ label: 'Start date', required: true, help: 'The first day of the trial.' }),
    good: '2026-12-04',
    bad: '',
  },
  file: {
    input: file({
      label: 'Pictures',
      required: true,
      accept: ['image/png', 'image/jpeg'],
      maxFiles: 2,
      help: 'PNG or JPEG, two at most.',
      check: value =>
        Array.isArray(value) && value.some(one => one instanceof File && one.size > LARGEST)
          ? 'A picture may have 1 MB at most'
          : null,
    }),
    good: [],
    bad: [new File([''], 'logo.gif', { type: 'image/gif' })],
  },
  radio: { input: radio({ label: 'Permission', required: true, options: ROLES }), good: 'admin', bad: '' },
  checkbox: {
    input: checkbox({ label: 'I keep the code in a safe place', required: true }),
    good: true,
    bad: false,
  },
  checkboxes: {
    input: checkboxes({ label: 'Scope', required: true, minOptions: 1, maxOptions: 2, options: SCOPES }),
    good: ['users.read'],
    bad: SCOPES.map(one => one.value),
  },
  toggle: {
    input: toggle({ label: 'Support access', required: true, help: 'For as long as it is on.' }),
    good: true,
    bad: false,
  },
  code: { input: code({ label: 'Code', required: true }), good: '407193', bad: '4071' },
  card: {
    input: card({ label: 'Card', required: true, component: CardControl }),
    good: { number: '4242 4242 4242 4242', exp: '12 / 29', cvc: '123' },
    bad: null,
  },
}
