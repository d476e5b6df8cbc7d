import { Ajv, type ValidateFunction } from 'ajv'
import { apiVersion, definitionNameOf, definitions } from './definitions.ts'

// Checks replies with ajv against the derived schemas. They are closed, so unknown fields fail as missing ones do.

// Optimizing the validators takes as long as compiling them, and tests run them only briefly.
const code = { optimize: false }
const ajv = new Ajv({ strict: false, allErrors: true, allowUnionTypes: true, code })
ajv.addFormat('decimal', /^-?\d+(\.\d{1,12})?$/)
ajv.addSchema({ $id: 'stripe', definitions })
/** Shared by all sandboxes of a process. */
const compiled = new Map<string, ValidateFunction>()

function validator(name: string) {
  const found = compiled.get(name) ?? ajv.compile({ $ref: `stripe#/definitions/${name}` })
  compiled.set(name, found)
  return found
}

const checkEventData = (data: unknown) =>
  typeof data === 'object' && data !== null && 'object' in data
    ? checkResponse(data.object)
    : ['an event carries nothing']

/** Returns the schema errors of a rendered object or list. */
export function checkResponse(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || !('object' in value))
    return ['the answer is not an object']
  if (value.object === 'list' && 'data' in value && Array.isArray(value.data))
    return value.data.flatMap(checkResponse)
  const name = definitionNameOf(String(value.object), 'deleted' in value && value.deleted === true)
  const validate = validator(name)
  const carried = value.object === 'event' && 'data' in value ? checkEventData(value.data) : []
  if (validate(value)) return carried
  return (validate.errors ?? []).map(
    error => `${apiVersion} ${name}${error.instancePath}: ${error.message} ${JSON.stringify(error.params)}`,
  )
}

export type CheckResponse = typeof checkResponse
