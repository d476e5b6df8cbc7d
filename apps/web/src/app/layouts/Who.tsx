import { useSignedIn } from '../../lib/session/store.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { useAccountName } from './account-name.ts'

/** Who is signed in, and to which account. */
export function Who() {
  const user = useSignedIn()
  const account = useAccountName()
  return (
    <>
      <Avatar name={user.name} src={user.avatar} size="md" />
      <div className="grow">
        <div className="med truncate" dir="auto" title={user.name}>
          {user.name}
        </div>
        <div className="t13 ink3 truncate" dir="auto" title={account}>
          {account}
        </div>
      </div>
    </>
  )
}
