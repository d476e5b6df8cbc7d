import { definition, definitionNameOf, resolve, type Schema } from '../schema/definitions.ts'
import type { World } from '../world.ts'
import { invalid } from './api-error.ts'

type Wire = Record<string, unknown>

/** Fields that Stripe leaves out unless they are asked for by expand. */
type Includable = (world: World, id: string) => unknown
const includable = new Map<string, Includable>()
export const includes = (path: string, read: Includable) => includable.set(path, read)

const isWire = (value: unknown): value is Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy without our private fields, so that later changes cannot reach an answer or an event. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!isWire(value)) return value
  const made: Wire = {}
  for (const [key, field] of Object.entries(value))
    if (!key.startsWith('_') && field !== undefined) made[key] = plain(field)
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

const namesAResource = (schema: Schema): boolean =>
  (schema.anyOf ?? []).some(arm => arm.$ref !== undefined && resolve(arm).properties?.object !== undefined)

/** All that Stripe shows of a deleted object. */
const stubIfDeleted = (shown: unknown): unknown =>
  isWire(shown) && shown.deleted === true ? { id: shown.id, object: shown.object, deleted: true } : shown

/** The object that a field of the parent names, alone or in a list. */
function expandId(world: World, parent: Wire, key: string, id: string, path: string): unknown {
  if (typeof parent.object === 'string' && parent.object !== 'list') {
    const property = definition(definitionNameOf(parent.object, false)).properties?.[key]
    if (!property || !namesAResource(property.items ?? property)) throw cannotExpand(path)
  }
  const found = world.store.find(id)
  return found ? stubIfDeleted(plain(found)) : id
}

function expandOne(world: World, target: unknown, segments: string[], path: string): void {
  if (Array.isArray(target)) {
    for (const item of target) expandOne(world, item, segments, path)
    return
  }
  const [key, ...rest] = segments
  // Of what is deleted there is a stub left, in which nothing is expanded.
  if (key === undefined || !isWire(target) || target.deleted === true) return
  const include = includable.get(`${target.object}.${key}`)
  if (include && target[key] === undefined) target[key] = plain(include(world, String(target.id)))
  if (target[key] === undefined) throw cannotExpand(path)
  if (typeof target[key] === 'string') target[key] = expandId(world, target, key, String(target[key]), path)
  else if (Array.isArray(target[key]))
    target[key] = target[key].map(one =>
      typeof one === 'string' ? expandId(world, target, key, one, path) : one,
    )
  expandOne(world, target[key], rest, path)
}

/** What the caller sees: no private fields, and the asked-for ids replaced by what they name. */
export function render(world: World, value: unknown, expand: unknown): unknown {
  const paths = Array.isArray(expand) ? expand.map(String) : []
  assertDepth(paths)
  const made = plain(value)
  for (const path of paths) expandOne(world, made, path.split('.'), path)
  return made
}

export interface Page {
  limit?: number
  starting_after?: string
  ending_before?: string
  created?: number | { gt?: number; gte?: number; lt?: number; lte?: number }
}

const inRange = (created: number, range: Page['created']) => {
  if (range === undefined) return true
  if (typeof range === 'number') return created === range
  return (
    created > (range.gt ?? -Infinity) &&
    created >= (range.gte ?? -Infinity) &&
    created < (range.lt ?? Infinity) &&
    created <= (range.lte ?? Infinity)
  )
}

/** One page, newest first, by Stripe's cursors. `rows` come oldest first, as the store gives them. */
export function page<T extends { id: string; created: number }>(
  rows: readonly T[],
  url: string,
  query: Page,
) {
  const limit = query.limit ?? 10
  if (limit < 1 || limit > 100) throw invalid('Invalid limit: must be between 1 and 100', 'limit')
  const list = rows.filter(row => inRange(row.created, query.created)).reverse()
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

/** A whole small list that sits inside another object. */
export const wholeList = <T>(data: T[], url: string) => ({
  object: 'list' as const,
  data,
  has_more: false,
  url,
})
