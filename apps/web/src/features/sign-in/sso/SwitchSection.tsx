import type { CallInput, Contract, SsoSetup } from '@plinth/contract'
import { assignableRoles } from '@plinth/contract/roles'
import { type ReactNode, useId } from 'react'
import { api } from '../../../lib/api/client.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { attemptWithStepUp } from '../../../lib/step-up/with-step-up.ts'
import { Field } from '../../../ui/base/Field.tsx'
import { Section } from '../../../ui/base/Section.tsx'
import { Select } from '../../../ui/form/Select.tsx'
import { Switch } from '../../../ui/form/Switch.tsx'
import { CopyableValue } from './CopyableValue.tsx'
import { askDisable, askEnforce } from './sso-dialogs.ts'
import { storeSetup } from './store-setup.ts'

type Change = CallInput<Contract['sso']['change']>['body']

/** Turns single sign-on on, makes it required, and sets the role of new users. */
export function SwitchSection({ setup }: { setup: SsoSetup }) {
  const t = useT()
  const { connection, owners } = setup
  const proven = setup.domains.find(({ proven_at }) => proven_at !== null)
  const ready = Boolean(connection?.tested_at)

  async function changeSetup(body: Change): Promise<void> {
    const saved = await attemptWithStepUp(proof => api.sso.change({ body: { ...body, ...proof } }))
    if (saved) storeSetup(saved)
  }

  const chosen = owners.filter(({ break_glass }) => break_glass).map(({ name }) => name)
  return (
    <Section title={t('sso.switch.title')} text={t('sso.switch.text')}>
      <div className="-my-3.5">
        <Setting
          title={t('sso.switch.enabled')}
          help={ready ? t('sso.switch.enabled_help') : t('sso.switch.not_tested')}
          checked={connection?.enabled ?? false}
          disabled={!ready}
          onChange={enabled => (enabled ? void changeSetup({ enabled }) : askDisable())}
        />
        <Setting
          title={t('sso.switch.enforced')}
          help={
            connection?.enforced
              ? t('sso.switch.enforced_but', { names: chosen.join(', ') })
              : t('sso.switch.enforced_help')
          }
          checked={connection?.enforced ?? false}
          disabled={!connection?.enabled}
          onChange={enforced => (enforced ? askEnforce(owners) : void changeSetup({ enforced }))}
        />
        <div className="setting">
          <Field className="w-full" label={t('sso.switch.role')} help={t('sso.switch.role_help')}>
            <Select
              value={connection?.default_role ?? 'user'}
              disabled={!connection}
              options={assignableRoles.map(value => ({ value, label: t(`sso.role.${value}`) }))}
              onChange={({ target }) => {
                const default_role = assignableRoles.find(role => role === target.value)
                if (default_role) void changeSetup({ default_role })
              }}
            />
          </Field>
        </div>
        {connection?.enabled && proven && (
          <div className="setting flex-col gap-2">
            <CopyableValue
              label={t('sso.switch.link')}
              value={`${window.location.origin}/login/saml?domain=${proven.domain}`}
            />
            <p className="help">{t('sso.switch.link_help')}</p>
          </div>
        )}
      </div>
    </Section>
  )
}

function Setting(props: {
  title: string
  help: ReactNode
  checked: boolean
  disabled: boolean
  onChange: (checked: boolean) => void
}) {
  const id = useId()
  return (
    <div className="setting">
      <div>
        <div className="med" id={id}>
          {props.title}
        </div>
        <p className="help" id={`${id}-help`}>
          {props.help}
        </p>
      </div>
      <Switch
        checked={props.checked}
        disabled={props.disabled}
        onChange={props.onChange}
        aria-labelledby={id}
        aria-describedby={`${id}-help`}
      />
    </div>
  )
}
