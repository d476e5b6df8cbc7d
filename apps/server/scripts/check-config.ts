import { ConfigError, parseConfig } from '../src/config.ts'

/** Prints what is wrong with the environment, one line a variable, and nothing when it is right. */
try {
  parseConfig(process.env)
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stdout.write(`${error.message}\n`)
}
