import { Refusal } from './refusal.ts'

const foreignKeyViolation = '23503'

/** What a row was to stand on (a user, an account, a key) went between two statements: closed, or removed, by another call. */
export const refuseMissingReference =
  (code: Refusal['code']) =>
  (error: unknown): never => {
    const gone = error instanceof Error && 'code' in error && error.code === foreignKeyViolation
    throw gone ? new Refusal(code, {}, error) : error
  }
