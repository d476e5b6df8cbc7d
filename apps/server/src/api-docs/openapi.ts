import type { Endpoint } from '@plinth/contract'
import { page } from '@plinth/contract/paging'
import type { Permission } from '@plinth/contract/roles'
import { z } from 'zod'
import { exampleOf } from './openapi-example.ts'
import { failureResponses, failureSchema } from './openapi-failures.ts'
import { featuresOf, type Tables } from './openapi-features.ts'
import { collectNamed, describeSchema, schemaOf } from './openapi-schemas.ts'

const who: Record<Permission | 'public', string> = {
  public: 'Anybody, signed in or not.',
  user: 'Anybody who is signed in.',
  developer: 'Developers and owners of the account.',
  admin: 'Administrators and owners of the account.',
  owner: 'Owners of the account.',
  master: 'The people who run this installation.',
}
const how: Record<NonNullable<Endpoint['stage']>, string> = {
  session: 'Works from the first session on.',
  verified: 'The email address must be confirmed.',
  planned: 'The account must have a plan.',
  active: 'The account must have a plan in force.',
}

/** Who may call, in words, from the same fields that the server enforces. */
export function accessOf({ needs, stage = 'active', scope }: Endpoint): {
  who: string
  when: string | null
  keys: string | null
} {
  return {
    who: who[needs],
    when: needs === 'public' ? null : how[stage],
    keys: scope
      ? `API keys with the scope ${scope}.`
      : needs === 'public'
        ? null
        : 'Sessions only, no API keys.',
  }
}

/** The schema of a call's reply: `data`, and the fields that can be beside it. */
export const answerOf = ({ reply, paged }: Endpoint) =>
  z.object({
    data: reply,
    message: z.string().optional().meta({ description: 'Translated, for a toast.' }),
    ...(paged ? { page } : {}),
  })

/** The contract as an OpenAPI 3.1 document, derived from the tables that the server enforces. */
export function openapi(contract: Tables) {
  const groups = featuresOf(contract)
  const paths: Record<string, Record<string, unknown>> = {}
  const named = collectNamed()
  const describe: typeof describeSchema = (schema, io) => {
    const described = describeSchema(schema, io)
    named.add(described.named)
    return described
  }
  for (const { id, title, endpoints } of groups) {
    for (const [name, endpoint] of endpoints) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: operation(`${id}.${name}`, title, endpoint, describe),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plinth API',
      version: '0.1.0',
      description:
        'Success is `{ data, message? }`, failure is `{ message, code, inputError?, plan? }`. See /api/docs.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: groups.map(({ title, text }) => ({ name: title, description: text })),
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token that every way of signing in answers.',
        },
        key: { type: 'http', scheme: 'bearer', description: 'An API key with the scope of the call.' },
        keyAsUser: { type: 'http', scheme: 'basic', description: 'The same key as the user name.' },
      },
      schemas: { Failure: failureSchema, ...named.schemas },
    },
  }
}

function operation(operationId: string, tag: string, endpoint: Endpoint, describe: typeof describeSchema) {
  const { needs, stage = 'active', scope, limit, idempotent, body } = endpoint
  const access = accessOf(endpoint)
  const sent = body && describe(body, 'input')
  const answer = describe(answerOf(endpoint), 'output')
  return {
    operationId,
    tags: [tag],
    summary: endpoint.summary,
    description: [access.who, access.when, access.keys, limit && `Draws on the budget \`${limit}\`.`]
      .filter(Boolean)
      .join(' '),
    security: needs === 'public' ? [] : [{ session: [] }, ...(scope ? [{ key: [] }, { keyAsUser: [] }] : [])],
    parameters: parametersOf(endpoint),
    ...(sent && body
      ? {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: {
              'application/json': { schema: sent.schema, example: exampleOf(sent.whole) },
              ...(endpoint.files ? { 'multipart/form-data': { schema: sent.schema } } : {}),
            },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'Done.',
        content: endpoint.download
          ? { [endpoint.download]: { schema: { type: 'string', description: endpoint.reply.description } } }
          : {
              'application/json': {
                schema: answer.schema,
                example: exampleOf(answer.whole),
              },
            },
      },
      ...failureResponses(endpoint),
    },
    'x-needs': needs,
    ...(needs === 'public' ? {} : { 'x-stage': stage }),
    ...(scope ? { 'x-scope': scope } : {}),
    ...(limit ? { 'x-limit': limit } : {}),
    ...(idempotent ? { 'x-idempotent': true } : {}),
  }
}

function parametersOf({ params, query, idempotent }: Endpoint) {
  const listed = (schema: z.ZodType | undefined, where: 'path' | 'query') => {
    const { properties = {}, required = [] } = schema ? schemaOf(schema, 'input') : {}
    return Object.entries(properties).map(([name, field]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: field,
    }))
  }
  return [
    ...listed(params, 'path'),
    ...listed(query, 'query'),
    {
      name: 'Accept-Language',
      in: 'header',
      description: 'The language of messages and mails.',
      schema: { type: 'string', default: 'en' },
    },
    ...(idempotent ? [idempotencyKey] : []),
  ]
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Repeating the call with the same key gives the first answer again and does nothing twice.',
  schema: { type: 'string', minLength: 8, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
}
