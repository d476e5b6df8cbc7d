import { ConfigError, parseConfig } from '../src/config.ts'

/** Prints one line for each missing or wrong environment variable. Prints nothing when all are valid. */
try {
  parseConfig(process.env)
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stdout.write(`${error.message}\n`)
}
