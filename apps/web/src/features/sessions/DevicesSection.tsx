import type { Device } from '@plinth/contract'
import Monitor from 'lucide-react/icons/monitor'
import Smartphone from 'lucide-react/icons/smartphone'
import { type FocusEvent, useLayoutEffect, useRef } from 'react'
import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/data/query.ts'
import { openDialog } from '../../lib/dialog.ts'
import { ago, day } from '../../lib/i18n/format.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Badge } from '../../ui/base/Badge.tsx'
import { Button } from '../../ui/base/Button.tsx'
import { isLost } from '../../ui/base/restore-focus.ts'
import { Section } from '../../ui/base/Section.tsx'
import { Loading, Skeleton } from '../../ui/base/Skeleton.tsx'
import { methodKey, useDeviceName } from './device-names.ts'
import { endDevice, endOthers } from './end-sessions.ts'

/** Lists the user's sessions and ends them. Hidden during support access. */
export function DevicesSection() {
  const t = useT()
  const support = useSignedIn().support_until
  if (support) return null
  return (
    <Section title={t('account.devices.title')} text={t('account.devices.text')}>
      <Devices />
    </Section>
  )
}

function Devices() {
  const t = useT()
  const { data, failed, retry } = useApi(api.sessions.list)
  const focusing = useFocusAfterRemoval(data)
  if (failed && !data)
    return (
      <div className="row between">
        <p className="help">{t('account.devices.failed')}</p>
        <Button size="sm" onClick={retry}>
          {t('global.retry')}
        </Button>
      </div>
    )
  if (!data)
    return (
      <Loading label={t('global.loading')}>
        <Skeleton height="44px" />
      </Loading>
    )
  const others = data.filter(({ current }) => !current)
  return (
    <div {...focusing}>
      <ul className="-mt-3.5">
        {data.map(device => (
          <DeviceRow key={device.id} device={device} />
        ))}
      </ul>
      {others.length > 0 ? (
        <EndOthers count={others.length} />
      ) : (
        <p className="help outline-0" tabIndex={-1}>
          {t('account.devices.only')}
        </p>
      )}
    </div>
  )
}

/**
 * Moves the focus when the focused row disappears: to the control that takes its place, or to the last one.
 * Spread the returned props on the container.
 */
function useFocusAfterRemoval(devices: readonly Device[] | undefined) {
  const container = useRef<HTMLDivElement>(null)
  const lastFocused = useRef<{ button: Element; index: number } | null>(null)

  // Browsers send no event when the focused element is removed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the rows change
  useLayoutEffect(() => {
    if (!lastFocused.current || lastFocused.current.button.isConnected || !isLost()) return
    const controls = [...(container.current?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])]
    controls[Math.min(lastFocused.current.index, controls.length - 1)]?.focus({ preventScroll: true })
  }, [devices])

  return {
    ref: container,
    onFocus({ target, currentTarget }: FocusEvent) {
      lastFocused.current = {
        button: target,
        index: [...currentTarget.querySelectorAll(CONTROLS)].indexOf(target),
      }
    },
  }
}

const CONTROLS = 'button, [tabindex]'

function DeviceRow({ device }: { device: Device }) {
  const t = useT()
  const name = useDeviceName()(device)
  const Icon = device.system === 'iPhone' || device.system === 'Android' ? Smartphone : Monitor
  const facts = [
    ...(device.current ? [] : [t('account.devices.used', { when: ago(device.last_used_at) })]),
    t(methodKey(device.method)),
    ...(device.network ? [device.network] : []),
    t('account.devices.since', { date: day(device.created_at) }),
  ]

  function confirmEnd(): void {
    openDialog({
      title: t('account.devices.end_title', { name }),
      description: t('account.devices.end_text'),
      buttonText: t('account.devices.end'),
      danger: true,
      // Not awaited: the row disappears at once, and returns when the call fails.
      callback: () => void endDevice(device, name),
    })
  }

  return (
    <li className="setting items-center">
      <div className="row gap-3 flex-nowrap min-w-0">
        <Icon size={20} className="shrink-0 ink3" aria-hidden="true" />
        <div className="min-w-0">
          <div className="row gap-2">
            <span className="med">{name}</span>
            {device.current && <Badge color="green">{t('account.devices.current')}</Badge>}
          </div>
          <p className="help wrap-anywhere">{facts.join(' · ')}</p>
        </div>
      </div>
      {!device.current && (
        <Button size="sm" aria-label={t('account.devices.end_of', { name })} onClick={confirmEnd}>
          {t('account.devices.end')}
        </Button>
      )}
    </li>
  )
}

function EndOthers({ count }: { count: number }) {
  const t = useT()

  function confirmEnd(): void {
    openDialog({
      title: t('account.devices.others_title', { count }),
      description: t('account.devices.others_text'),
      buttonText: t('account.devices.others_button'),
      danger: true,
      callback: () => void endOthers(),
    })
  }

  return (
    <div className="row pt-3">
      <Button onClick={confirmEnd}>{t('account.devices.others')}</Button>
    </div>
  )
}
