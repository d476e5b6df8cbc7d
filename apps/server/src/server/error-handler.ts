import { refusals } from '@plinth/contract/refusals'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dropRest } from '../endpoint/body.ts'
import { type Locale, labelOf, pickLocale, translate, waitIn } from '../lib/i18n.ts'
import { bodyTooLarge, Refusal } from '../lib/refusal.ts'

/** What Fastify itself refuses, in our words. */
const ofFastify: Record<string, Refusal['code']> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_body',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}
/** The database is away or overloaded, or took too long: worth another try in a moment. */
const away = /^(08|57P0|57014|53300|40001|40P01|55P03)|^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT)$/
const awayWords = /timeout exceeded when trying to connect|Connection terminated|Query read timeout/
/** The database won't keep a value: too long, or characters it has no place for. A schema should have said so before. */
const unkeepable = /^(22001|22007|22008|22009|22021|22P02|22P05|23514)$/

/** The one place where an error becomes an answer. Anything that is not a refusal is a bug: logged whole, told nothing. */
export function handleErrors(app: FastifyInstance) {
  app.setErrorHandler(answerError)
}

export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  dropRest(request)
  const refusal = refusalOf(error, request)
  if (refusal) {
    if (unkeepable.test(error.code)) request.log.error({ err: error }, 'a value that no schema stopped')
    else if (refusal.cause) request.log.warn({ err: refusal.cause }, refusal.code)
    return sendRefusal(request, reply, refusal)
  }
  request.log.error({ err: error }, 'unexpected error')
  const locale = pickLocale(request.headers['accept-language'])
  reply.header('content-language', locale)
  return reply.code(500).send({ message: translate(locale, 'errors.unexpected'), code: 'unexpected' })
}

function refusalOf(error: FastifyError, request: FastifyRequest): Refusal | null {
  if (error instanceof Refusal) return error
  const known = ofFastify[error.code]
  if (known === 'body_too_large') return bodyTooLarge(request.routeOptions.bodyLimit)
  if (known) return new Refusal(known)
  if (error.code === '53100') return new Refusal('storage_full')
  if (unkeepable.test(error.code)) return new Refusal('invalid_input')
  if (away.test(error.code) || awayWords.test(error.message))
    return new Refusal('busy', { retryAfter: 2 }, error)
  if (error.statusCode === 400) return new Refusal('malformed_body')
  return null
}

function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal) {
  const { code, details } = refusal
  const status = refusals[code]
  const locale: Locale = pickLocale(request.headers['accept-language'])
  reply.header('content-language', locale)
  const { retryAfter } = details
  const message = translate(locale, details.text ?? `refusals.${code}`, {
    label: labelOf(details.field, locale),
    ...details.values,
    ...(retryAfter ? { wait: waitIn(locale, retryAfter) } : {}),
  })
  if (retryAfter) reply.header('retry-after', String(retryAfter))
  // The rest of the body is not waited for.
  if (code === 'request_timeout') reply.header('connection', 'close')
  request.log.info({ refusal: code, status, field: details.field }, 'refused')
  if (status === 429) return reply.code(429).type('text/plain; charset=utf-8').send(message)
  return reply.code(status).send({
    message,
    code,
    ...(details.field ? { inputError: details.field } : {}),
    ...(details.passkey ? { passkey: true } : {}),
    ...(details.plan ? { plan: details.plan } : {}),
    ...(details.data ? { data: details.data } : {}),
  })
}
