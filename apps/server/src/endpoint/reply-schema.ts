import type { Endpoint } from '@plinth/contract'
import { page } from '@plinth/contract/paging'
import { z } from 'zod'

type Json = Record<string, unknown>

/** Without names, schemas stay inline: the serialiser handles `nullable` only beside a schema, not beside a `$ref`. */
const withoutNames = z.registry<{ id?: string }>()

/**
 * The JSON schema of an answer, from which Fastify compiles the serialiser: fields that are not in it never leave.
 * `T | null` becomes `nullable`, and a choice of objects one object, for which the serialiser is fast where it would have
 * to try each arm of an anyOf.
 */
export function replySchema({ reply, paged }: Pick<Endpoint, 'reply' | 'paged'>): Json {
  return {
    type: 'object',
    properties: {
      data: schemaOf(reply),
      message: { type: 'string' },
      ...(paged ? { page: schemaOf(page) } : {}),
    },
    required: ['data'],
  }
}

function schemaOf(reply: z.ZodType): Json {
  const schema = z.toJSONSchema(reply, {
    io: 'output',
    target: 'draft-7',
    unrepresentable: 'any',
    metadata: withoutNames,
    override: simplify,
  })
  delete schema.$schema
  return schema
}

function simplify({ jsonSchema }: { jsonSchema: Json }) {
  delete jsonSchema.format
  delete jsonSchema.pattern
  const arms = jsonSchema.anyOf
  if (!Array.isArray(arms)) return
  if (arms.length === 2 && arms[1]?.type === 'null') {
    delete jsonSchema.anyOf
    Object.assign(jsonSchema, arms[0], { nullable: true })
  } else if (arms.every(arm => arm.type === 'object')) {
    delete jsonSchema.anyOf
    Object.assign(jsonSchema, eitherOf(arms))
  }
}

/** One object for several: all their fields, of which those are sure that every arm is sure of. */
function eitherOf(arms: { properties: Json; required?: string[] }[]): Json {
  return {
    type: 'object',
    properties: Object.assign({}, ...arms.map(arm => arm.properties)),
    required: arms
      .map(arm => arm.required ?? [])
      .reduce((sure, fields) => sure.filter(field => fields.includes(field))),
  }
}
