/**
 * What an API key may do, one word for each call that takes keys. A call names its scope in its endpoint table; without
 * one no key gets in. No scope reaches further than a developer does, and none reaches what guards the account (T-39).
 */
export const scopes = ['event.create', 'usage.create'] as const
export type Scope = (typeof scopes)[number]

export function isScope(value: unknown): value is Scope {
  return scopes.some(scope => scope === value)
}
