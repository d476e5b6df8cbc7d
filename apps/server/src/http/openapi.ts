import type { Endpoint, EndpointTable } from '@plinth/contract'
import { page } from '@plinth/contract/paging'
import type { Permission } from '@plinth/contract/roles'
import { z } from 'zod'
import { exampleOf, type JsonSchema } from './openapi-example.ts'
import { failureResponses, failureSchema } from './openapi-failures.ts'

export type Tables = Record<string, EndpointTable>

/** Headings of the features, in the order of the page; a feature that is missing here follows under its own name. */
const features: Record<string, { title: string; text: string }> = {
  auth: { title: 'Sign-in', text: 'Sessions: who is signed in, signing in and out, proving an address.' },
  accounts: { title: 'Sign-up', text: 'Ways for a new person to get in.' },
  profile: { title: 'Profile', text: 'The signed-in person.' },
  notifications: { title: 'Notifications', text: 'Which mails somebody wants.' },
  help: { title: 'Help', text: 'Messages to support.' },
  feedback: { title: 'Feedback', text: 'What people think of the product.' },
  team: { title: 'Team', text: 'The people of an account.' },
  apiKeys: { title: 'API keys', text: 'What programs sign in with.' },
  usage: { title: 'Usage', text: 'What an account uses, as programs report it.' },
  billing: { title: 'Billing', text: 'Plans and the subscription of an account.' },
  dashboard: { title: 'Dashboard', text: 'Figures to show.' },
  events: { title: 'Events', text: 'What people do in the product.' },
  settings: { title: 'Settings', text: 'This installation.' },
}

export type Feature = {
  id: string
  title: string
  text: string
  endpoints: [name: string, endpoint: Endpoint][]
}

/** The contract as the page tells it: features in order, each with its calls. */
export function featuresOf(contract: Tables): Feature[] {
  const ids = [...new Set([...Object.keys(features), ...Object.keys(contract)])].filter(id => contract[id])
  return ids.map(id => ({
    id,
    ...(features[id] ?? { title: id, text: '' }),
    endpoints: Object.entries(contract[id] ?? {}),
  }))
}

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

/** The JSON schema of what is sent (`input`) or answered (`output`). */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' })
  return json as JsonSchema // as: zod's type knows every keyword, ours the few that are read
}

export const answerOf = (endpoint: Endpoint): JsonSchema => ({
  type: 'object',
  properties: {
    data: schemaOf(endpoint.reply, 'output'),
    message: { type: 'string', description: 'Translated, for a toast.' },
    ...(endpoint.paged ? { page: schemaOf(page, 'output') } : {}),
  },
  required: ['data'],
})

/** The contract as an OpenAPI 3.1 document. Nothing in it is written twice: what the server checks is what it says. */
export function openapi(contract: Tables) {
  const groups = featuresOf(contract)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { id, endpoints } of groups) {
    for (const [name, endpoint] of endpoints) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: operation(`${id}.${name}`, id, endpoint),
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
    tags: groups.map(({ id, title, text }) => ({ name: id, description: `${title}. ${text}`.trim() })),
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
      schemas: { Failure: failureSchema },
    },
  }
}

function operation(operationId: string, tag: string, endpoint: Endpoint) {
  const { needs, stage = 'active', scope, limit, idempotent, body } = endpoint
  const access = accessOf(endpoint)
  const sent = body && schemaOf(body, 'input')
  const answer = answerOf(endpoint)
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
              'application/json': { schema: sent, example: exampleOf(sent) },
              ...(endpoint.files ? { 'multipart/form-data': { schema: sent } } : {}),
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
                schema: answer,
                example: { data: exampleOf(answer.properties?.data ?? {}) },
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
