import { api } from '../../lib/api/client.ts'
import { handleFailure } from '../../lib/api/failure.ts'
import { withOverlay } from '../../lib/loading.ts'
import { enter } from '../../lib/session/enter.ts'

/** Goes on in another account of one's own, from its first screen. */
export async function switchTo(account: string): Promise<void> {
  try {
    await withOverlay(api.auth.switchAccount({ body: { account } }).then(({ data }) => enter(data)))
  } catch (error) {
    handleFailure(error)
  }
}
