import { Ajv, type ValidateFunction } from 'ajv'
import { apiVersion, definitionNameOf, definitions } from './definitions.ts'

// An independent check of what we answer: ajv over the same derived schemas, closed, so that a field which
// Stripe does not have is found as surely as one that is missing. Loaded only where it is asked for.

// To make the validators' code smaller takes as long as all the rest of compiling them, and they do not live long.
const code = { optimize: false }
const ajv = new Ajv({ strict: false, allErrors: true, allowUnionTypes: true, code })
ajv.addFormat('decimal', /^-?\d+(\.\d{1,12})?$/)
ajv.addSchema({ $id: 'stripe', definitions })
/** They follow from the schemas alone: every sandbox of a process judges by the same. */
const compiled = new Map<string, ValidateFunction>()

function validator(name: string) {
  const found = compiled.get(name) ?? ajv.compile({ $ref: `stripe#/definitions/${name}` })
  compiled.set(name, found)
  return found
}

const faultsInEvent = (data: unknown) =>
  typeof data === 'object' && data !== null && 'object' in data
    ? judge(data.object)
    : ['an event carries nothing']

/** Returns what is wrong with a rendered object or list, or nothing. */
export function judge(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || !('object' in value))
    return ['the answer is not an object']
  if (value.object === 'list' && 'data' in value && Array.isArray(value.data))
    return value.data.flatMap(judge)
  const name = definitionNameOf(String(value.object), 'deleted' in value && value.deleted === true)
  const validate = validator(name)
  const carried = value.object === 'event' && 'data' in value ? faultsInEvent(value.data) : []
  if (validate(value)) return carried
  return (validate.errors ?? []).map(
    error => `${apiVersion} ${name}${error.instancePath}: ${error.message} ${JSON.stringify(error.params)}`,
  )
}

export type Judge = typeof judge
