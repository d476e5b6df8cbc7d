export interface Config {
  host: string
  port: number
  smtpPort: number
  /** Origin of the product. It may frame the 3D Secure page and call the API with the publishable key. */
  appUrl: string
  /** Database file; null keeps all data in memory. */
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

/** A live key in the environment is a mistake, so the sandbox does not start. */
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
