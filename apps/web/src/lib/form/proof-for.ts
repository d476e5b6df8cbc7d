import { ApiError } from '../api/error.ts'
import type { Input } from './types.ts'

/**
 * The form fields for the step-up that the error asks for; null for other errors. Loaded on demand, because
 * pages before the sign-in do not need it. If loading fails, the error is shown like any other.
 */
export async function proofFor(error: unknown): Promise<Record<string, Input> | null> {
  if (!(error instanceof ApiError) || error.code !== 'proof_required') return null
  const proof = await import('../step-up/proof.tsx').catch(() => null)
  return proof?.proofInputs(error) ?? null
}
