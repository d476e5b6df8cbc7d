import { useSignedIn } from '../../lib/session/store.ts'
import { Avatar } from '../../ui/base/Avatar.tsx'
import { Truncate } from '../../ui/base/Truncate.tsx'
import { useAccountName } from './account-name.ts'

/** The name of the user and of the current account. */
export function SignedInUser() {
  const user = useSignedIn()
  const account = useAccountName()
  return (
    <>
      <Avatar name={user.name} src={user.avatar} size="md" />
      <div className="grow">
        <div className="med">
          <Truncate>{user.name}</Truncate>
        </div>
        <div className="t13 ink3">
          <Truncate>{account}</Truncate>
        </div>
      </div>
    </>
  )
}
