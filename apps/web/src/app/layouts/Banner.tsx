import { paths } from '../../lib/paths.ts'
import { backupSpent } from '../../lib/session/backup-spent.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { useStore } from '../../lib/store.ts'
import { leadsTo } from '../navigation.ts'
import { present, useView, view } from '../view.ts'

export const backupBanner = view(
  () => import('../../features/sign-in/two-factor/BackupCodeUsed.tsx').then(m => m.BackupCodeUsed),
  ['two_factor'],
)
const nothing = present(() => null)

/**
 * A persistent warning above the screen. The page waits for its code, because a late banner would move the
 * content. The two-factor screen shows this warning itself.
 */
export function Banner({ path }: { path: string }) {
  const user = useSignedIn()
  const wanted = useStore(backupSpent) && path !== paths.twoFactor && leadsTo(paths.twoFactor, user)
  const Shown = useView(wanted ? backupBanner : nothing)
  return <Shown />
}
