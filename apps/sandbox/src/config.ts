export interface Config {
  host: string
  port: number
  smtpPort: number
  /** Where the product is, as the browser sees it; also who may frame the 3DS page and call with the pk. */
  appUrl: string
  /** A file, or null: then everything goes with the program. */
  database: string | null
  checkResponses: boolean
}

type Environment = Record<string, string | undefined>

const wholeNumber = (env: Environment, name: string, fallback: number) => {
  const text = env[name] ?? ''
  if (text === '') return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new Error(`${name} must be a port number (0 to 65535), got "${text}"`)
  return value
}

/** The sandbox is for play money: a live key anywhere near it is a mistake worth stopping for. */
const refuseLiveKeys = (env: Environment) => {
  for (const [name, value] of Object.entries(env))
    if (/^(sk|pk|rk)_live_/.test(value ?? ''))
      throw new Error(`${name} holds a live key: the sandbox will not start`)
}

export function readConfig(env: Environment): Config {
  refuseLiveKeys(env)
  const port = wholeNumber(env, 'SANDBOX_PORT', 5001)
  const memory = env.SANDBOX_MEMORY === '1'
  return {
    host: env.HOST || '127.0.0.1',
    port,
    smtpPort: wholeNumber(env, 'SANDBOX_SMTP_PORT', port === 0 ? 0 : port + 1),
    appUrl: new URL(env.APP_URL || 'http://localhost:5000').origin,
    database: memory ? null : `${env.DATA_DIR || './data'}/sandbox.sqlite`,
    checkResponses: env.SANDBOX_CHECK === '1',
  }
}
