import { invalid } from '../http/api-error.ts'
import { isRecord } from '../is-record.ts'
import { definition, resolveSchema, type Schema } from './definitions.ts'

/**
 * Reads a form-decoded request by its schema: converts strings to numbers and booleans, and refuses invalid values with
 * Stripe's messages. '' means "unset" and becomes null where the schema allows it.
 */
export function readParams(name: string, raw: unknown): Record<string, unknown> {
  // as: an object schema reads to an object
  return read(definition(name), raw, '') as Record<string, unknown>
}

const joinPath = (path: string, key: string) => (path === '' ? key : `${path}[${key}]`)

function read(schema: Schema, value: unknown, path: string): unknown {
  const own = resolveSchema(schema)
  if (own.anyOf) return readUnion(own.anyOf, value, path)
  if (Array.isArray(own.type))
    return readUnion(
      own.type.map(type => ({ type })),
      value,
      path,
    )
  if (own.const !== undefined) return readChoice([own.const], value, path)
  if (own.enum) return readChoice(own.enum, value, path)
  if (own.type === 'array') return readArray(own, value, path)
  if (own.type === 'object') return readObject(own, value, path)
  if (own.type === 'null') {
    if (value === '' || value === null) return null
    throw invalid(`Invalid value for ${path}: it can only be unset`, path)
  }
  if (own.type === undefined) return value
  return readScalar(own, value, path)
}

function readScalar(schema: Schema, value: unknown, path: string): unknown {
  if (typeof value !== 'string') throw invalid(`Invalid ${schema.type}: ${JSON.stringify(value)}`, path)
  if (value === '')
    throw invalid(
      `You passed an empty string for '${path}'. An empty value unsets a parameter, but '${path}' cannot be unset.`,
      path,
      'parameter_invalid_empty',
    )
  if (schema.type === 'boolean') {
    if (value === 'true' || value === 'false') return value === 'true'
    throw invalid(`Invalid boolean: ${value}`, path)
  }
  if (schema.type === 'number') {
    if (/^-?\d+$/.test(value)) return Number(value)
    if (/^-?\d*\.\d+$/.test(value)) return Number(value)
    throw invalid(`Invalid integer: ${value}`, path, 'parameter_invalid_integer')
  }
  if (schema.format === 'decimal' && !/^-?\d+(\.\d{1,12})?$/.test(value))
    throw invalid(`Invalid decimal: ${value}; must contain at maximum 12 decimal places.`, path)
  return value
}

function readChoice(choices: readonly unknown[], value: unknown, path: string): unknown {
  const found = choices.find(choice => String(choice) === value)
  if (found !== undefined) return found === '' ? null : found
  throw invalid(`Invalid ${path}: must be one of ${choices.filter(one => one !== '').join(', ')}`, path)
}

function readArray(schema: Schema, value: unknown, path: string): unknown[] {
  const list =
    isRecord(value) && Object.keys(value).every(key => /^\d+$/.test(key)) ? Object.values(value) : value
  if (!Array.isArray(list)) throw invalid('Invalid array', path)
  return list.map((item, index) => read(schema.items ?? {}, item, joinPath(path, String(index))))
}

function readObject(schema: Schema, value: unknown, path: string): unknown {
  if (!isRecord(value)) throw invalid('Invalid object', path)
  const made: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const [key, given] of Object.entries(value)) {
    const property =
      schema.properties && Object.hasOwn(schema.properties, key)
        ? schema.properties[key]
        : typeof schema.additionalProperties === 'object'
          ? schema.additionalProperties
          : schema.additionalProperties === false
            ? undefined
            : {}
    if (property) made[key] = read(property, given, joinPath(path, key))
    else unknown.push(joinPath(path, key))
  }
  if (unknown[0])
    throw invalid(
      `Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`,
      unknown[0],
      'parameter_unknown',
    )
  for (const name of schema.required ?? [])
    if (!(name in made))
      throw invalid(
        `Missing required param: ${joinPath(path, name)}.`,
        joinPath(path, name),
        'parameter_missing',
      )
  return made
}

const matchesKind = (arm: Schema, value: unknown): boolean => {
  const own = resolveSchema(arm)
  if (own.anyOf) return own.anyOf.some(one => matchesKind(one, value))
  if (Array.isArray(value)) return own.type === 'array'
  if (isRecord(value)) return own.type === 'object' || own.type === 'array'
  return own.type !== 'object' && own.type !== 'array'
}

// Choices before numbers before text, so that trial_end=now and trial_end=1700000000 both match.
const unionOrder = (arm: Schema) => {
  const own = resolveSchema(arm)
  if (own.type === 'null') return 0
  if (own.enum || own.const !== undefined) return 1
  return ['boolean', 'number', 'string'].indexOf(String(own.type)) + 2
}

function readUnion(arms: Schema[], value: unknown, path: string): unknown {
  if (value === '' && arms.some(arm => arm.type === 'null' || resolveSchema(arm).enum?.includes('')))
    return null
  const fitting = arms
    .filter(arm => arm.type !== 'null' && matchesKind(arm, value))
    .sort((a, b) => unionOrder(a) - unionOrder(b))
  let refusal: unknown
  for (const arm of fitting) {
    try {
      return read(arm, value, path)
    } catch (error) {
      refusal = error // the last member is the widest, so its error is reported
    }
  }
  throw refusal ?? invalid(`Invalid value for ${path}`, path)
}
