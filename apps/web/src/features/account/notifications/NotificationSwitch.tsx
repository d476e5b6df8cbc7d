import type { NotificationSetting } from '@plinth/contract'
import { useId } from 'react'
import { useT } from '../../../lib/i18n/translate.ts'
import { Switch } from '../../../ui/form/Switch.tsx'
import { toggleNotification } from './save-notifications.ts'

export function NotificationSwitch({ name, active }: NotificationSetting) {
  const t = useT()
  const id = useId()
  return (
    <div className="row between flex-nowrap">
      <div>
        <div className="med" id={id}>
          {t(`account.notifications.${name}`)}
        </div>
        <p className="help" id={`${id}-help`}>
          {t(`account.notifications.${name}_help`)}
        </p>
      </div>
      <Switch
        checked={active}
        onChange={() => toggleNotification(name)}
        aria-labelledby={id}
        aria-describedby={`${id}-help`}
      />
    </div>
  )
}
