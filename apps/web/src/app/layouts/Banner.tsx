import { handleFailure } from '../../lib/api/failure.ts'
import { paths } from '../../lib/paths.ts'
import { backupSpent } from '../../lib/session/backup-spent.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { useStore } from '../../lib/store.ts'
import { leadsTo } from '../navigation.ts'
import { useLate } from '../use-late.ts'
import { view } from '../view.ts'

const spent = view(
  () => import('../../features/two-factor/BackupSpent.tsx').then(m => m.BackupSpent),
  ['two_factor'],
)

/** A warning that lasts, above the screen. The two-factor screen says the same itself. */
export function Banner({ path }: { path: string }) {
  const user = useSignedIn()
  const wanted = useStore(backupSpent) && path !== paths.twoFactor && leadsTo(paths.twoFactor, user)
  const Shown = useLate(wanted, spent.load, handleFailure)
  return Shown && <Shown />
}
