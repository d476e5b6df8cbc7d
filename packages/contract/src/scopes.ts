/**
 * Scopes of API keys, one for each endpoint that accepts keys. A scope allows nothing that the role `developer` may not do,
 * and no changes of security settings.
 */
export const scopes = ['event.create', 'usage.create'] as const
export type Scope = (typeof scopes)[number]

export function isScope(value: unknown): value is Scope {
  return scopes.some(scope => scope === value)
}
