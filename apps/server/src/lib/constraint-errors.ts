import { Refusal } from './refusal.ts'

const foreignKeyViolation = '23503'

/** Refuses when a referenced user, account or key was deleted by a concurrent call. */
export const refuseMissingReference =
  (code: Refusal['code']) =>
  (error: unknown): never => {
    const gone = error instanceof Error && 'code' in error && error.code === foreignKeyViolation
    throw gone ? new Refusal(code, {}, error) : error
  }
