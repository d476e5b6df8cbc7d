import type { SandboxContext } from '../context.ts'
import { isRecord } from '../is-record.ts'
import { definition, definitionNameOf, resolveSchema, type Schema } from '../schema/definitions.ts'
import { invalid } from './api-error.ts'

/** Fields that Stripe only sends when `expand` names them. */
type ReadExpandable = (context: SandboxContext, id: string) => unknown
const expandables = new Map<string, ReadExpandable>()
export const registerExpandable = (path: string, read: ReadExpandable) => expandables.set(path, read)

/** A deep copy, so that later changes do not alter a reply or an event. */
export function withoutPrivateFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrivateFields)
  if (!isRecord(value)) return value
  const made: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value))
    if (!key.startsWith('_') && field !== undefined) made[key] = withoutPrivateFields(field)
  return made
}

function assertDepth(paths: string[]) {
  const deep = paths.find(path => path.split('.').length > 4)
  if (deep)
    throw invalid(
      `You cannot expand more than 4 levels of a property. Property: ${deep}`,
      'expand',
      'property_cannot_be_expanded',
    )
}

const cannotExpand = (path: string) =>
  invalid(`This property cannot be expanded (${path}).`, 'expand', 'property_cannot_be_expanded')

const refersToResource = (schema: Schema): boolean =>
  (schema.anyOf ?? []).some(
    arm => arm.$ref !== undefined && resolveSchema(arm).properties?.object !== undefined,
  )

const deletedStub = (shown: unknown): unknown =>
  isRecord(shown) && shown.deleted === true ? { id: shown.id, object: shown.object, deleted: true } : shown

/** Replaces the id in a field by its object. */
function expandId(
  context: SandboxContext,
  parent: Record<string, unknown>,
  key: string,
  id: string,
  path: string,
): unknown {
  if (typeof parent.object === 'string' && parent.object !== 'list') {
    const property = definition(definitionNameOf(parent.object, false)).properties?.[key]
    if (!property || !refersToResource(property.items ?? property)) throw cannotExpand(path)
  }
  const found = context.store.find(id)
  return found ? deletedStub(withoutPrivateFields(found)) : id
}

function expandPath(context: SandboxContext, target: unknown, segments: string[], path: string): void {
  if (Array.isArray(target)) {
    for (const item of target) expandPath(context, item, segments, path)
    return
  }
  const [key, ...rest] = segments
  // A deleted object has no fields to expand.
  if (key === undefined || !isRecord(target) || target.deleted === true) return
  const include = expandables.get(`${target.object}.${key}`)
  if (include && target[key] === undefined)
    target[key] = withoutPrivateFields(include(context, String(target.id)))
  if (target[key] === undefined) throw cannotExpand(path)
  if (typeof target[key] === 'string') target[key] = expandId(context, target, key, String(target[key]), path)
  else if (Array.isArray(target[key]))
    target[key] = target[key].map(one =>
      typeof one === 'string' ? expandId(context, target, key, one, path) : one,
    )
  expandPath(context, target[key], rest, path)
}

/** Removes private fields and expands the requested ids. */
export function renderObject(context: SandboxContext, value: unknown, expand: unknown): unknown {
  const paths = Array.isArray(expand) ? expand.map(String) : []
  assertDepth(paths)
  const made = withoutPrivateFields(value)
  for (const path of paths) expandPath(context, made, path.split('.'), path)
  return made
}

export interface PageQuery {
  limit?: number
  starting_after?: string
  ending_before?: string
}

/** One page of `rows`, newest first, by Stripe's cursors. The store returns rows oldest first. */
export function paginate<T extends { id: string }>(rows: readonly T[], url: string, query: PageQuery) {
  const limit = query.limit ?? 10
  if (limit < 1 || limit > 100) throw invalid('Invalid limit: must be between 1 and 100', 'limit')
  const list = rows.toReversed()
  const cursor = query.starting_after ?? query.ending_before
  const at = cursor === undefined ? -1 : list.findIndex(row => row.id === cursor)
  if (cursor !== undefined && at < 0)
    throw invalid(
      `No such object: '${cursor}'`,
      query.starting_after ? 'starting_after' : 'ending_before',
      'resource_missing',
    )
  if (query.ending_before !== undefined) {
    const before = list.slice(0, at)
    return { object: 'list' as const, url, has_more: before.length > limit, data: before.slice(-limit) }
  }
  const after = list.slice(at + 1)
  return { object: 'list' as const, url, has_more: after.length > limit, data: after.slice(0, limit) }
}

/** A complete list inside another object. */
export const completeList = <T>(data: T[], url: string) => ({
  object: 'list' as const,
  data,
  has_more: false,
  url,
})
