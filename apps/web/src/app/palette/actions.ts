import Building from 'lucide-react/icons/building-2'
import Heart from 'lucide-react/icons/heart'
import KeyRound from 'lucide-react/icons/key-round'
import Keyboard from 'lucide-react/icons/keyboard'
import LogOut from 'lucide-react/icons/log-out'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import UserPlus from 'lucide-react/icons/user-plus'
import { type Translate, useT } from '../../lib/i18n/translate.ts'
import { navigate, usePath } from '../../lib/navigate.ts'
import { paths, withQuery } from '../../lib/paths.ts'
import { accountLabel } from '../../lib/session/account-label.ts'
import { saveDark } from '../../lib/session/save-preferences.ts'
import { signOut } from '../../lib/session/sign-out.ts'
import { type Session, useSignedIn } from '../../lib/session/store.ts'
import { useStore } from '../../lib/store.ts'
import { dark } from '../../lib/theme.ts'
import { feedbackOpen, mayGiveFeedback } from '../layouts/feedback-open.ts'
import { switchTo } from '../layouts/switch-account.ts'
import { leadsTo } from '../navigation.ts'
import { lostRoute, routeOf } from '../routes.ts'
import type { Command } from './command.ts'
import { palette } from './open.ts'

/** Actions available on every screen, sign-out last. */
export function useActions(): Command[] {
  const t = useT()
  const user = useSignedIn()
  const isDark = useStore(dark)
  // Unknown paths use the app's layout too.
  const { layout } = routeOf(usePath()) ?? lostRoute
  const hasHeart = (layout === 'app' || layout === 'account') && mayGiveFeedback(user)
  return [
    ...accountActions(t, user),
    ...(hasHeart ? [feedback(t)] : []),
    {
      key: 'style',
      label: isDark ? t('account.menu.light') : t('account.menu.dark'),
      also: t('palette.also.style'),
      icon: isDark ? Sun : Moon,
      run: () => void saveDark(!isDark),
    },
    ...switches(t, user),
    {
      key: 'shortcuts',
      label: t('palette.shortcuts.title'),
      icon: Keyboard,
      run: () => palette.set('shortcuts'),
    },
    {
      key: 'out',
      label: t('account.nav.sign_out'),
      also: t('palette.also.sign_out'),
      icon: LogOut,
      run: signOut,
    },
  ]
}

const feedback = (t: Translate): Command => ({
  key: 'feedback',
  label: t('account.nav.feedback'),
  icon: Heart,
  run: () => feedbackOpen.set(true),
})

function accountActions(t: Translate, user: Session): Command[] {
  const invite: Command = {
    key: 'invite',
    label: t('palette.action.invite'),
    also: t('palette.also.invite'),
    icon: UserPlus,
    run: () => navigate(withQuery(paths.users, { create: '1' })),
  }
  const apiKey: Command = {
    key: 'key',
    label: t('palette.action.api_key'),
    icon: KeyRound,
    run: () => navigate(paths.createApiKey),
  }
  return [
    ...(leadsTo(paths.users, user) ? [invite] : []),
    // Support sessions may not create API keys.
    ...(leadsTo(paths.createApiKey, user) && !user.support_until ? [apiKey] : []),
  ]
}

/** Actions that switch to another account. */
function switches(t: Translate, { accounts, account_id }: Session): Command[] {
  const others = accounts.filter(({ id }) => id !== account_id)
  return accounts.length < 2
    ? []
    : others.map(account => ({
        key: account.id,
        label: t('palette.action.switch', { name: account.name }),
        detail: accountLabel(t, account, accounts) ?? undefined,
        also: t('account.menu.switch'),
        icon: Building,
        run: () => void switchTo(account.id),
      }))
}
