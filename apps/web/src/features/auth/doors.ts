import type { FormCall } from '../../lib/form/Form.tsx'
import type { Path } from '../../lib/paths.ts'

/** The ways in besides email and password. What is not here is not shown: no dead buttons. */
export type Doors = {
  /** Sends a link that signs in. */
  magic?: FormCall<{ email: string }, unknown>
  forgot?: Path
  sso?: Path
  social?: ReadonlyArray<{ id: string; name: string; href: string }>
}

export const doors: Doors = {}
