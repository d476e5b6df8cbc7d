import { useState } from 'react'
import { Field } from '../base/Field.tsx'
import { Input } from '../base/Input.tsx'
import { Inset } from '../base/Inset.tsx'
import { CardFields } from '../form/CardFields.tsx'
import { Checkbox, Radio } from '../form/Checkbox.tsx'
import { ChipsInput } from '../form/ChipsInput.tsx'
import { CodeInput } from '../form/CodeInput.tsx'
import { FieldSet } from '../form/FieldSet.tsx'
import { PasswordInput } from '../form/PasswordInput.tsx'
import { Lines, PlanPicker } from '../form/PlanPicker.tsx'
import { Select } from '../form/Select.tsx'
import { Switch } from '../form/Switch.tsx'
import { TextArea } from '../form/TextArea.tsx'
import { Spec } from './Spec.tsx'

const ROLES = [
  { value: 'admin', label: 'Administrator' },
  { value: 'developer', label: 'Developer' },
  { value: 'user', label: 'User' },
]

export function FormSamples() {
  return (
    <>
      <Spec title="Inputs">
        <div className="grid-2 fold">
          <Field label="Empty">
            <Input placeholder="name@company.com" />
          </Field>
          <Field label="Hover">
            <Input className="is-hover" defaultValue="Mara" />
          </Field>
          <Field label="Focus">
            <Input className="is-focus" defaultValue="Northquay" />
          </Field>
          <Field label="Valid" valid>
            <Input type="email" defaultValue="mara@northquay.studio" />
          </Field>
          <Field label="Invalid" error="Enter a valid email address">
            <Input type="email" defaultValue="mara@northquay" />
          </Field>
          <Field label="Password" valid>
            <PasswordInput defaultValue="limestone!" showLabel="Show password" hideLabel="Hide password" />
          </Field>
          <Field label="Disabled" help="An owner’s permission can’t be changed.">
            <Input disabled defaultValue="Account Owner" />
          </Field>
          <Field label="Select" help="Can manage users.">
            <Select options={ROLES} defaultValue="admin" />
          </Field>
        </div>
      </Spec>
      <Choices />
      <Spec title="One-time code, card, text">
        <Code />
        <Field label="Card" hideLabel>
          <CardFields
            onChange={() => {}}
            labels={{ number: 'Card number', exp: 'Expiry date', cvc: 'Security code' }}
          />
        </Field>
        <Field label="Comment" hideLabel>
          <TextArea placeholder="What made it good? (optional)" />
        </Field>
      </Spec>
      <Plans />
    </>
  )
}

function Choices() {
  const [on, setOn] = useState(true)
  return (
    <Spec title="Switch, checkbox, radio">
      <div className="grid-2 fold">
        <span className="row">
          <Switch aria-label="On" checked={on} onChange={setOn} />
          On
        </span>
        <span className="row">
          <Switch aria-label="Off" checked={!on} onChange={value => setOn(!value)} />
          Off
        </span>
        <span className="row">
          <Switch aria-label="On, disabled" checked disabled onChange={setOn} />
          On, disabled
        </span>
        <Checkbox label="Checked" defaultChecked />
        <Checkbox label="Unchecked" help="With a line of help" />
        <Checkbox label="Some selected" mixed />
        <Checkbox label="Disabled" defaultChecked disabled />
      </div>
      <FieldSet legend="Chosen or not">
        <Radio name="radio" label="Chosen" defaultChecked />
        <Radio name="radio" label="Not chosen" />
      </FieldSet>
    </Spec>
  )
}

function Code() {
  const [code, setCode] = useState('4071')
  const [emails, setEmails] = useState(['tomas@northquay.studio', 'j.okafor@northquay'])
  return (
    <>
      <Field label="Code" hideLabel>
        <CodeInput value={code} onChange={setCode} />
      </Field>
      <Field label="Email addresses" error="j.okafor@northquay is not a complete email address.">
        <ChipsInput
          value={emails}
          onChange={setEmails}
          isGood={text => /@.+\..+/.test(text)}
          split={text => text.split(/[\s,;]+/).filter(Boolean)}
          removeLabel={text => `Remove ${text}`}
        />
      </Field>
    </>
  )
}

function Plans() {
  const [plan, setPlan] = useState('startup')
  return (
    <Spec title="Radio cards">
      <PlanPicker
        legend="Plan"
        value={plan}
        onChange={setPlan}
        options={[
          {
            value: 'free',
            label: 'Free',
            slabs: 1,
            help: '3 users, 1 API key',
            price: '$0',
            priceNote: 'forever',
          },
          {
            value: 'startup',
            label: 'Startup',
            slabs: 2,
            help: '20 users, 10 keys',
            price: '$12',
            priceNote: 'per seat / month',
          },
          {
            value: 'scale',
            label: 'Scale',
            slabs: 3,
            help: 'Unlimited users, 100 API keys',
            price: '$49',
            priceNote: 'per month + usage',
          },
        ]}
      />
      <Inset>
        <Lines
          lines={[
            { label: 'Today', value: '$0.00' },
            { label: '1 seat, monthly from 4 Dec 2026', value: '$12.00' },
            { label: 'Total', value: '$12.00', total: true },
          ]}
        />
      </Inset>
    </Spec>
  )
}
