import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Need } from './config-production.ts'

/** Makes the folder where it is missing. Null when files can be written to it. */
export function whyNotWritable(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    return `expected a folder that can be written to, and ${folder} is none (${codeOf(error)}). Give this user the right to write there, or name another folder`
  }
}

/**
 * Checks the folder as far as something is kept in it.
 * @param uses the data that is stored in the folder, because no database, S3 bucket or secret is configured for it
 * @returns the secret that is kept there, when one is
 */
export function checkDataFolder(
  dataDir: string,
  uses: { database: boolean; sandbox: boolean; files: boolean; secret: boolean },
  need: Need,
): string | null {
  const file = join(dataDir, 'app-secret')
  const makesSecret = uses.secret && !existsSync(file)
  const folders = [
    ...(uses.database || uses.sandbox || uses.files || makesSecret ? [dataDir] : []),
    ...(uses.files ? [join(dataDir, 'files')] : []),
  ]
  const why = folders.map(whyNotWritable).find(reason => reason !== null)
  need(!why, 'DATA_DIR', why ?? '')
  return why || !uses.secret ? null : readSecret(file, need)
}

/** Reads the secret that a first start makes, readable by its owner alone. */
function readSecret(file: string, need: Need): string | null {
  try {
    if (!existsSync(file)) makeSecret(file)
    const secret = readFileSync(file, 'utf8').trim()
    need(
      secret.length >= 32,
      'APP_SECRET',
      `expected, because ${file} holds less than 32 characters. Delete the file, or set APP_SECRET`,
    )
    return secret
  } catch (error) {
    need(
      false,
      'APP_SECRET',
      `expected, because ${file} can’t be read (${codeOf(error)}). Give this user the right to read it, or set APP_SECRET`,
    )
    return null
  }
}

function makeSecret(file: string) {
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // Another process, started together with this one, has just written it.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code // as: node's fs errors carry a code
