import { ApiError } from '../api/error.ts'
import type { Input } from './types.ts'

/**
 * The fields for the step-up that a refusal asks for; null for every other failure. They come with code of their own,
 * which no page before the sign-in needs; should it not come, the refusal is told like any other.
 */
export async function proofFor(error: unknown): Promise<Record<string, Input> | null> {
  if (!(error instanceof ApiError) || error.code !== 'proof_required') return null
  const proof = await import('../step-up/proof.tsx').catch(() => null)
  return proof?.proofInputs(error) ?? null
}
