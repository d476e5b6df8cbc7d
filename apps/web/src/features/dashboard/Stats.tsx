import Activity from 'lucide-react/icons/activity'
import UserPlus from 'lucide-react/icons/user-plus'
import Users from 'lucide-react/icons/users'
import Wallet from 'lucide-react/icons/wallet'
import { money } from '../../lib/i18n/format.ts'
import { language } from '../../lib/i18n/language.ts'
import type { TextKey } from '../../lib/i18n/texts.ts'
import { useT } from '../../lib/i18n/translate.ts'
import type { IconType } from '../../ui/base/Icon.tsx'
import { StatRow, StatTile } from '../../ui/chart/StatTile.tsx'
import type { Demo } from './demo.ts'

const icons: Record<string, IconType> = {
  wallet: Wallet,
  users: Users,
  'user-plus': UserPlus,
  activity: Activity,
}
const labels: Record<string, TextKey> = {
  revenue: 'dashboard.stats.revenue',
  active_users: 'dashboard.stats.active_users',
  new_sign_ups: 'dashboard.stats.new_sign_ups',
  trials_converted: 'dashboard.stats.trials_converted',
}

export function Stats({ stats, currency }: { stats: Demo['stats']; currency: string }) {
  const t = useT()
  return (
    <StatRow label={t('dashboard.stats.title')}>
      {stats.map(({ label, value, unit, icon, change }) => (
        <StatTile
          key={label}
          label={labels[label] ? t(labels[label]) : label}
          icon={iconOf(icon)}
          value={
            unit === 'money'
              ? money(value, currency, { whole: true })
              : new Intl.NumberFormat(language.get()).format(value)
          }
          change={localChange(change)}
        />
      ))}
    </StatRow>
  )
}

/** A missing icon is logged; the figure is shown without it. */
function iconOf(name: string): IconType | undefined {
  if (!icons[name]) console.warn(`There is no icon ${name}`)
  return icons[name]
}

/** Formats "+8.2%" in the user's language. Other texts stay unchanged. */
function localChange(change: string): string {
  const number = /^([+-]?\d+(?:\.\d+)?)%$/.exec(change.replace('−', '-'))?.[1]
  if (number === undefined) return change
  return new Intl.NumberFormat(language.get(), {
    style: 'percent',
    signDisplay: 'exceptZero',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  }).format(Number(number) / 100)
}
