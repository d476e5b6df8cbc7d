/**
 * Scopes of API keys, one for each call that accepts keys. No scope exceeds the developer's permission or allows changes
 * of security settings.
 */
export const scopes = ['event.create', 'usage.create'] as const
export type Scope = (typeof scopes)[number]

export function isScope(value: unknown): value is Scope {
  return scopes.some(scope => scope === value)
}
