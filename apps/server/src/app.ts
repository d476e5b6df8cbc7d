import { contract } from '@plinth/contract'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { describeApi } from './api-docs/serve-docs.ts'
import type { Services } from './context.ts'
import type { Db } from './db/pool.ts'
import { openAuthentication } from './endpoint/authenticate.ts'
import { jsonBodies } from './endpoint/body.ts'
import { onlyJson } from './endpoint/content-type.ts'
import { mount } from './endpoint/mount.ts'
import { multipartBodies } from './endpoint/multipart.ts'
import { exportRoutes } from './features/account/export/routes.ts'
import { notificationRoutes } from './features/account/notifications/routes.ts'
import { pictureRoutes, profileHandlers } from './features/account/profile/routes.ts'
import { accountHandlers, verificationHandlers } from './features/account/routes.ts'
import { settingRoutes } from './features/account/settings/routes.ts'
import { apiKeyRoutes } from './features/api-keys/routes.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { billingRoutes } from './features/billing/routes.ts'
import { dashboardRoutes } from './features/dashboard/routes.ts'
import { eventRoutes } from './features/events/routes.ts'
import { feedbackRoutes } from './features/feedback/routes.ts'
import { helpRoutes } from './features/help/routes.ts'
import { impersonationRoutes } from './features/impersonation/routes.ts'
import { sessionRoutes } from './features/sessions/routes.ts'
import { passkeyRoutes } from './features/sign-in/passkeys/routes.ts'
import { signInHandlers } from './features/sign-in/routes.ts'
import { socialRoutes } from './features/sign-in/social/routes.ts'
import { ssoRoutes } from './features/sign-in/sso/routes.ts'
import { twoFactorRoutes } from './features/sign-in/two-factor/routes.ts'
import { acceptInviteHandlers, teamRoutes, updateMemberHandler } from './features/team/routes.ts'
import { usageRoutes } from './features/usage/routes.ts'
import { defaultTimes, keepDeadlines, type Times } from './lib/deadline.ts'
import { openRedis } from './lib/redis.ts'
import { makeRateLimiter } from './rate-limit/limiter.ts'
import { makeLoginThrottle } from './rate-limit/login-throttle.ts'
import { trustedHop } from './rate-limit/network.ts'
import { checkProxy } from './server/behind-proxy.ts'
import { refuseExpectations, unroutable } from './server/client-errors.ts'
import { policyReports } from './server/csp-reports.ts'
import { handleErrors } from './server/error-handler.ts'
import { lastAnswers } from './server/graceful-shutdown.ts'
import { checkHost, secureHeaders } from './server/headers.ts'
import { health, type Readiness } from './server/health.ts'
import { methodTable } from './server/methods.ts'
import { oneLoopbackName } from './server/one-loopback-name.ts'
import { requestLog } from './server/request-log.ts'
import { serveWeb } from './server/static.ts'
import { wellKnown } from './server/well-known.ts'

/** The server's table of contents: plugins in order, then features in order. */
export async function makeApp(options: {
  services: Services
  db: Db
  readiness: Readiness
  times?: Times
}): Promise<FastifyInstance> {
  const { services, db, readiness, times = defaultTimes } = options
  const { config } = services
  const loggerInstance: FastifyBaseLogger = services.log
  // A request's name in the log: the first half tells this app from others, the second its requests.
  const run = crypto.randomUUID().slice(0, 13)
  let asked = 0
  const app = fastify({
    loggerInstance,
    // Its lines hold the address with its query string, where mailed secrets ride (T-03).
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy.length ? trustedHop(config.trustProxy) : false,
    // Bodies are small forms; files have their own limits.
    bodyLimit: 64 * 1024,
    // The last limit; lib/deadline.ts limits bodies and answers.
    requestTimeout: times.upload + 30_000,
    // A request without Host gets our answer, not Node's.
    http: { requireHostHeader: false, headersTimeout: 30_000 },
    connectionTimeout: 60_000,
    keepAliveTimeout: 75_000,
    // A shutdown finishes running requests instead of answering 503.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200, ignoreDuplicateSlashes: false },
    genReqId: () => `${run}-${++asked}`,
    childLoggerFactory: requestLog,
    ...unroutable(config),
  })
  lastAnswers(app, readiness)
  keepDeadlines(app, times)
  secureHeaders(app, config)
  checkHost(app, config)
  checkProxy(app, config)
  oneLoopbackName(app, config)
  onlyJson(app)
  jsonBodies(app)
  multipartBodies(app)
  refuseExpectations(app, config)
  handleErrors(app)
  const redis = config.redisUrl ? await openRedis(config.redisUrl, services.log) : null
  if (redis) app.addHook('onClose', () => redis.destroy())
  const limits = makeRateLimiter({ db, redis }, config.rateLimitFactor)
  const registry = health(app, {
    db,
    readiness,
    metricsToken: config.metricsToken,
    metricsOnLoopback: config.env !== 'production',
  })
  await policyReports(app, { limits, registry })
  describeApi(app, contract, config.publicUrl)
  wellKnown(app, { supportEmail: config.supportEmail, publicUrl: config.publicUrl, now: services.now })
  await serveWeb(app, methodTable(Object.values(contract)), config.publicUrl)

  const loginThrottle = makeLoginThrottle(db, config.rateLimitFactor)
  const findActor = openAuthentication(db, services.now)
  const server = { app, services, limits, loginThrottle, findActor }
  apiKeyRoutes(server)
  auditRoutes(server)
  billingRoutes(server)
  dashboardRoutes(server)
  eventRoutes(server)
  exportRoutes(server)
  feedbackRoutes(server)
  helpRoutes(server)
  impersonationRoutes(server)
  notificationRoutes(server)
  passkeyRoutes(server)
  pictureRoutes(server)
  sessionRoutes(server)
  settingRoutes(server)
  socialRoutes(server)
  ssoRoutes(server)
  teamRoutes(server)
  twoFactorRoutes(server)
  usageRoutes(server)
  // Endpoint tables that several features serve.
  mount(server, contract.accounts, { ...accountHandlers, ...acceptInviteHandlers })
  mount(server, contract.auth, { ...signInHandlers, ...verificationHandlers })
  mount(server, contract.profile, {
    ...profileHandlers,
    update: (ctx, input) =>
      input.body.id === undefined || input.body.id === ctx.actor.user_id
        ? profileHandlers.update(ctx, input)
        : updateMemberHandler(ctx, input),
  })
  await app.ready()
  return app
}
