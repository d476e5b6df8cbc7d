import { useSignedIn } from '../../lib/session/store.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { OneLine } from '../../ui/OneLine.tsx'
import { useAccountName } from './account-name.ts'

/** Who is signed in, and to which account. */
export function Who() {
  const user = useSignedIn()
  const account = useAccountName()
  return (
    <>
      <Avatar name={user.name} src={user.avatar} size="md" />
      <div className="grow">
        <div className="med">
          <OneLine>{user.name}</OneLine>
        </div>
        <div className="t13 ink3">
          <OneLine>{account}</OneLine>
        </div>
      </div>
    </>
  )
}
