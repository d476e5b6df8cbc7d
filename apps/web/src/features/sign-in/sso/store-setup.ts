import type { SsoSetup } from '@plinth/contract'
import { api } from '../../../lib/api/client.ts'
import { putAnswer } from '../../../lib/data/query.ts'

/** Every call of the set-up returns the whole set-up. */
export const storeSetup = (setup: SsoSetup): void => putAnswer(api.sso.read, setup)
