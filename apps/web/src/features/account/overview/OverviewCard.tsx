import { api } from '../../../lib/api/client.ts'
import { useApi } from '../../../lib/data/query.ts'
import type { TextKey } from '../../../lib/i18n/texts.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { paths } from '../../../lib/paths.ts'
import { NavTile } from '../../../ui/layout/NavTile.tsx'
import type { NavItem } from '../../../ui/layout/shell-types.ts'

type CardTexts = { text: TextKey; go: TextKey }

/** Text and link label of each card. The navigation provides its title. */
const cardTexts: Record<string, CardTexts> = {
  [paths.profile]: { text: 'account.overview.profile', go: 'account.overview.profile_go' },
  [paths.password]: { text: 'account.overview.password', go: 'account.overview.password_go' },
  [paths.twoFactor]: { text: 'account.overview.two_factor', go: 'account.overview.two_factor_go' },
  [paths.notifications]: { text: 'account.overview.notifications', go: 'account.overview.notifications_go' },
  [paths.billing]: { text: 'account.overview.billing', go: 'account.overview.billing_go' },
  [paths.apiKeys]: { text: 'account.overview.api_keys', go: 'account.overview.api_keys_go' },
  [paths.users]: { text: 'account.overview.users', go: 'account.overview.users_go' },
}
const twoFactorOn: CardTexts = {
  text: 'account.overview.two_factor_on',
  go: 'account.overview.two_factor_go',
}
const twoFactorOff: CardTexts = {
  text: 'account.overview.two_factor_off',
  go: 'account.overview.two_factor_enable',
}
const noPassword: CardTexts = {
  text: 'account.overview.password_none',
  go: 'account.overview.password_create',
}

export function OverviewCard({ item }: { item: NavItem }) {
  if (item.key === paths.password) return <PasswordCard item={item} />
  if (item.key === paths.twoFactor) return <TwoFactorCard item={item} />
  const found = cardTexts[item.key]
  return found ? <TextCard item={item} words={found} /> : null
}

/** A user without a password creates one instead of changing it. */
function PasswordCard({ item }: { item: NavItem }) {
  const hasPassword = useApi(api.profile.read).data?.has_password
  const found = hasPassword === false ? noPassword : cardTexts[paths.password]
  return found ? <TextCard item={item} words={found} /> : null
}

/** Phones show only the text, so it names the state. The text is neutral until the profile has loaded. */
function TwoFactorCard({ item }: { item: NavItem }) {
  const isOn = useApi(api.profile.read).data?.['2fa_enabled']
  const found = isOn === undefined ? cardTexts[paths.twoFactor] : isOn ? twoFactorOn : twoFactorOff
  return found ? <TextCard item={item} words={found} /> : null
}

function TextCard({ item: { href = '', icon, label }, words }: { item: NavItem; words: CardTexts }) {
  const t = useT()
  return <NavTile href={href} icon={icon} title={label} text={t(words.text)} go={t(words.go)} />
}
