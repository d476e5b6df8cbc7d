import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refusal } from '../lib/refusal.ts'
import { readBody } from './body.ts'

/** Fields of a form, and files far below what would hurt; a schema has the last word on each. */
const mostBytes = 6 * 1024 * 1024
const mostParts = 20
const mostHeader = 4096
/** Parsed at the same time, by one process. */
const mostForms = 16

const type = /^multipart\/form-data; ?boundary="?([\w'()+,./:=?-]{1,70})"?$/i
export const boundaryOf = (contentType: string | undefined) => type.exec(contentType ?? '')?.[1] ?? null

/** Lets such a body through unread: it is read when it is known who sends it, and that they may. */
export function multipartBodies(app: FastifyInstance) {
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined))
}

/**
 * Reads a form with files: texts as they are, files as `File`. A name that comes twice is refused, so no field is read
 * differently by two readers (T-77).
 */
export async function readForm(request: FastifyRequest, boundary: string): Promise<Record<string, unknown>> {
  const body = await readBody(request, mostBytes, 'upload')
  const form = await oneOfFew(() => {
    checkParts(body, boundary)
    return parsed(body, request.headers['content-type'] ?? '')
  })
  const fields = new Map<string, unknown>()
  for (const [name, value] of form) {
    // How a form says that no file was chosen.
    if (value instanceof File && value.size === 0) continue
    if (fields.has(name)) throw new Refusal('invalid_input', { field: name.slice(0, 60) })
    fields.set(name, value)
  }
  // No name of the object's own family can be set this way (T-77).
  return Object.assign(Object.create(null), Object.fromEntries(fields))
}

let reading = 0

/** A parsed form is in memory twice: a flood of them must not take all of it (T-12). */
async function oneOfFew<T>(read: () => Promise<T>): Promise<T> {
  if (reading >= mostForms) throw new Refusal('busy', { retryAfter: 5 })
  reading++
  try {
    return await read()
  } finally {
    reading--
  }
}

/** Counted before anything takes them apart: thousands of tiny parts, or of headers, take seconds. */
function checkParts(body: Buffer, boundary: string) {
  const mark = `--${boundary}`
  for (let at = body.indexOf(mark), parts = 0; at >= 0; at = body.indexOf(`\r\n${mark}`, at + 1), parts++) {
    if (parts > mostParts) throw new Refusal('malformed_body')
    const head = body.subarray(at, at + mostHeader)
    const last = head.subarray(0, mark.length + 4).includes(`${mark}--`)
    if (last) continue
    const headEnd = head.indexOf('\r\n\r\n')
    const end = body.indexOf(`\r\n${mark}`, at + 1)
    if (headEnd < 0 || !isText(body.subarray(at, end < 0 ? body.length : end), headEnd))
      throw new Refusal('malformed_body')
  }
}

/** Headers and the text of a field are UTF-8; a file may hold any bytes. */
function isText(part: Buffer, headEnd: number): boolean {
  const head = part.subarray(0, headEnd)
  return isUtf8(/filename/i.test(head.toString('latin1')) ? head : part)
}

async function parsed(body: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  } catch (error) {
    throw new Refusal('malformed_body', {}, error)
  }
}

/** In a form `true` and `false` are texts. */
export function withBooleans(form: Record<string, unknown>, schema: z.ZodType): Record<string, unknown> {
  const shape: Record<string, z.ZodType> = schema instanceof z.ZodObject ? schema.shape : {}
  const read = (name: string, value: unknown) => {
    const field = shape[name] instanceof z.ZodOptional ? shape[name].unwrap() : shape[name]
    if (!(field instanceof z.ZodBoolean)) return value
    return value === 'true' ? true : value === 'false' ? false : value
  }
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name, read(name, value)]))
}
