import { z } from 'zod'

type Json = Record<string, unknown>

/**
 * The JSON schema of an answer, from which Fastify compiles the serialiser: fields that are not in it never leave.
 * `T | null` becomes `nullable`, for which the serialiser is fast where it would have to try each arm of an anyOf.
 */
export function replySchema(reply: z.ZodType): Json {
  const schema = z.toJSONSchema(reply, {
    io: 'output',
    target: 'draft-7',
    unrepresentable: 'any',
    override: simplify,
  })
  delete schema.$schema
  return {
    type: 'object',
    properties: { data: schema, message: { type: 'string' } },
    required: ['data'],
  }
}

function simplify({ jsonSchema }: { jsonSchema: Json }) {
  delete jsonSchema.format
  delete jsonSchema.pattern
  const arms = jsonSchema.anyOf
  if (!Array.isArray(arms) || arms.length !== 2 || arms[1]?.type !== 'null') return
  delete jsonSchema.anyOf
  Object.assign(jsonSchema, arms[0], { nullable: true })
}
